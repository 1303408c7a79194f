//! Pages, and a browser without hands that runs scripts on them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

pub(crate) struct Browser(String);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The page that `cupel explain` writes.
pub(crate) fn page(arguments: &[&str]) -> String {
    printed(&[&["explain"], arguments, &["--html", "-"]].concat())
}

/// The page that `cupel eval` writes.
pub(crate) fn eval_page(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quality.html");
    printed(&[&["eval"], arguments, &["--html", path.to_str().unwrap()]].concat());
    std::fs::read_to_string(path).unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupel"));
    let output = command.current_dir(root()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The same for these items.
pub(crate) fn page_of(items: &[Value], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items.json");
    std::fs::write(&path, serde_json::to_string(items).unwrap()).unwrap();
    page(&[&[path.to_str().unwrap()], arguments].concat())
}

/// What runs before anything else, and what scripts may use.
const BEFORE: &str = "<script>
const errors = [];
addEventListener('error', event => errors.push(String(event.message)));
const settled = () => new Promise(done => setTimeout(done, 20));
</script>";

/// Writes down, in the outermost page, what a script, a function, returns.
fn after(script: &str) -> String {
    format!(
        "<script>(async () => {{
            let report;
            try {{ report = await ({script})(); }} catch (error) {{ report = {{ error: String(error.stack) }}; }}
            const text = JSON.stringify({{ errors, ...report }}).replace(/[<>&]/g, it => '\\\\u00' + it.charCodeAt().toString(16));
            top.document.body.append(Object.assign(top.document.createElement('pre'), {{ id: 'report', textContent: text }}));
        }})();</script>"
    )
}

/// A page in a frame of that width: the browser's own windows are at least 500 pixels wide.
fn framed(page: &str, width: u32, attributes: &str) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe {attributes} srcdoc=\"{page}\" style='border: 0; width: {width}px; height: 900px'></iframe>"
    )
}

impl Browser {
    /// The browser, or `None` with a message when there is none to be had.
    pub(crate) fn find() -> Option<Self> {
        let script = root().join("crates/cupel-cli/scripts/chromium.sh");
        let output = Command::new("bash").arg(script).output().expect("bash runs");
        if output.status.success() {
            return Some(Self(String::from_utf8_lossy(&output.stdout).trim().to_owned()));
        }
        // Past the capturing of test output: a test that did not run must not look like one that did.
        let reason = String::from_utf8_lossy(&output.stderr);
        let _ = writeln!(std::io::stderr(), "SKIPPED, no browser: {}", reason.trim());
        None
    }

    /// What `script` returns on `page`, which logs nothing meanwhile.
    pub(crate) fn run(&self, page: &str, width: u32, script: &str) -> Value {
        let page = page.replacen("<head>", &format!("<head>{BEFORE}"), 1);
        let end = page.rfind("</body>").expect("a page has a body");
        let page = format!("{}{}{}", &page[..end], after(script), &page[end..]);
        let report = self.report(&framed(&page, width, ""));
        assert_eq!(report["errors"], serde_json::json!([]));
        report
    }

    /// What `script` returns, given the document of `page` in a frame that runs no scripts.
    pub(crate) fn look_without_script(&self, page: &str, width: u32, script: &str) -> Value {
        let script = after(&format!(
            "async () => {{
                const inner = () => document.querySelector('iframe').contentDocument;
                while (inner()?.readyState !== 'complete' || !inner().querySelector('footer')) await settled();
                return ({script})(inner());
            }}"
        ));
        let frame = framed(page, width, "sandbox='allow-same-origin'");
        self.report(&format!("{BEFORE}{frame}{script}"))
    }

    fn report(&self, body: &str) -> Value {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let page =
            format!("<!DOCTYPE html><meta charset=utf-8><body style='margin: 0'>{body}</body>");
        std::fs::write(&path, page).unwrap();
        let output = Command::new(&self.0)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--enable-logging=stderr"])
            .arg("--virtual-time-budget=5000")
            .arg("--window-size=1500,1000")
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg("--dump-dom")
            .arg(format!("file://{}", path.display()))
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        // Blocked scripts are what a frame without them is about.
        let logged = |line: &&str| line.contains("CONSOLE") && !line.contains("sandboxed");
        let messages: Vec<_> = log.lines().filter(logged).collect();
        assert!(messages.is_empty(), "the page logged {messages:#?}");

        let dom = String::from_utf8_lossy(&output.stdout);
        let written = dom.rsplit("<pre id=\"report\">").next().filter(|it| it.len() < dom.len());
        let written = written.and_then(|rest| rest.split("</pre>").next());
        let written = written.unwrap_or_else(|| panic!("the script wrote nothing:\n{log}"));
        let report: Value = serde_json::from_str(written).unwrap();
        assert_eq!(report["error"], Value::Null, "the script failed");
        report
    }
}
