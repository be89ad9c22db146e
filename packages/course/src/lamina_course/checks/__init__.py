"""The checks, a file for each chapter: `CHECKS` has them by task, the simplest first."""
