"""Loses an executor in the middle of a job, and prints how many rows came out wrong, and how many at all.

Executors are processes of their own only in a cluster, and a program has one Spark: so this is a program.
"""

from __future__ import annotations

import os
import sys
from collections import Counter

from probes import Dying
from pyspark.sql import SparkSession
from rows import row

from cupel_context import respond
from cupel_context.scale import spark as cupel

COUNT = 2_000


def main(mark: str, folder: str) -> None:
    # Its workers would write beside Spark itself.
    os.environ["SPARK_WORKER_DIR"] = folder
    builder = SparkSession.builder.master("local-cluster[2, 1, 700]")
    for key, value in {
        "spark.executor.memory": "512m",
        "spark.ui.enabled": "false",
        "spark.local.dir": folder,
        "spark.log.level": "OFF",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    frame = session.createDataFrame([(number, row(number)) for number in range(COUNT)], "number long, request string")
    work = Dying(response=True, text=row(1_500), mark=mark, executor=True)
    answers = cupel.ENGINE.answered(frame.repartition(4), "request", work, "answer", ["number"])
    collected = answers.select("number", "answer.response").collect()
    session.stop()
    found = Counter(number for number, _ in collected)
    wrong = sum(1 for number, response in collected if not same(response, respond(row(number))))
    twice = sum(1 for count in found.values() if count > 1)
    print(f"rows {len(collected)}, missing {COUNT - len(found)}, twice {twice}, wrong {wrong}")


def same(response: str, expected: str) -> bool:
    from digests import of_response

    return of_response(response) == of_response(expected)


if __name__ == "__main__":
    main(*sys.argv[1:])
