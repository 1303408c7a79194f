"""Cupel inside the frameworks: one module for each, imported by name.

    from cupel_context.adapters.langchain import CupelMiddleware

Every adapter hands the framework's history to :func:`cupel_context.fit` and gives the framework its
own messages back. Messages that nobody touched are the same objects; shortened ones are copies; the
order stays, and a tool call is never parted from its result. ``on_fit`` receives a
:class:`Fitted`, which says of every message why it is in or out.

A framework is imported only with its own module, and a missing one is an ``ImportError`` that names
the package to install.
"""

from ._bridge import FitOptions, Fitted

__all__ = ["FitOptions", "Fitted"]
