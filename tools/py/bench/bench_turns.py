# SPDX-License-Identifier: BSD-3-Clause
"""Rounds in which programs take turns, for the sections of tools/bench that compare drivers."""

import os
import statistics

from base import cperf


def take(context, turns, words):
    """Runs all turns in each round, every second round backwards.

    A turn is (text of the progress, name of the set-up, tries, function). The function measures
    once and returns {key: value}, a key being a tuple; `words` makes the text of such a result.
    With several tries the set-up is known to be killed by signals, which is no failure. Returns
    ({(name,) + key: {round: value}}, failed runs)."""
    progress = cperf.Progress(context.rounds * len(turns))
    values, failed = {}, 0
    for number in range(context.rounds):
        for text, name, tries, measure in turns if number % 2 == 0 else turns[::-1]:
            progress.begin(text)
            try:
                found = measure()
            except cperf.PerfError as error:
                progress.end("%s%s" % (error, ", see " + error.log if error.log else ""))
                failed += not (error.killed and tries > 1)
                continue
            progress.end(words(found))
            for key, value in found.items():
                values.setdefault((name,) + key, {})[number] = value
    return values, failed


def ratio(ours, theirs, rate):
    """Returns (median of the ratios of the rounds, how many), or None. Above 1 ours is ahead: it
    has more if it is a rate, else less."""
    found = [ours[n] / theirs[n] if rate else theirs[n] / ours[n]
             for n in theirs if ours.get(n, 0) > 0 and theirs[n] > 0]
    return (statistics.median(found), len(found)) if found else None


def program(context, name):
    """Returns the path of a program of the bench."""
    return os.path.join(os.path.dirname(context.accel_bench), name)


def lines(text, fields, units):
    """Yields the fields of those lines that have as many and begin with one of `units`."""
    for line in text.splitlines():
        parts = line.split(",")
        if len(parts) == fields and parts[0] in units:
            yield parts
