"""What new prices do to captures on object storage, counted by a Spark cluster.

  spark-submit impact.py 's3a://shop/captures/2026-*/*.gz' --catalogue catalogue/ --merge="--html impact.html"

A part is one or more whole objects, which go to `order-cost impact` through a pipe, packed as they are. Each worker needs
Node.js and the command; Spark brings it the catalogue, once.
"""

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark import SparkFiles
from pyspark.sql import SparkSession


def tally(impact, objects):
    """Runs on a worker: counts a part."""
    # In the worker's own folder, which Spark removes also after a worker that was killed.
    with tempfile.TemporaryDirectory(dir=".") as folder:
        counted, said = Path(folder, "tally.json"), Path(folder, "said")
        folders = {name: SparkFiles.get(name) for name in ("catalogue", "zones")}
        command = [word.format(**folders) for word in impact]
        with said.open("wb") as stderr:
            process = subprocess.Popen([*command, "--tally", counted], stdin=subprocess.PIPE, stderr=stderr)
            try:
                with process.stdin as pipe:
                    for _, content in objects:
                        pipe.write(content)
            except BrokenPipeError:
                pass  # it has ended before it has read all, and has said why
            if process.wait() != 0:
                raise RuntimeError(said.read_text() or f"{command[0]} ended with {process.returncode}")
        yield counted.read_text()


def count(options, packed):
    """Runs on the cluster. Returns the tallies; `packed` is a folder for what the workers fetch meanwhile."""
    spark = SparkSession.builder.appName("order-cost").getOrCreate().sparkContext
    impact = [*shlex.split(options.command), "impact", "-", "--threads", "1", "--catalogue", "{catalogue}"]
    folders = {"catalogue": options.catalogue}
    if options.zones_dir:
        folders["zones"] = options.zones_dir
        impact += ["--zones-dir", "{zones}"]
    for name, folder in folders.items():
        archive = shutil.make_archive(str(Path(packed, name)), "gztar", folder)
        spark.addArchive(f"{archive}#{name}")
    impact += shlex.split(options.impact)
    objects = spark.binaryFiles(options.captures, options.parts)
    tallies = objects.mapPartitions(lambda part: tally(impact, part)).collect()
    spark.stop()
    return tallies


def merge(command, tallies):
    """Prints the report of all parts, and returns the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{part}.json") for part in range(len(tallies))]
        for file, counted in zip(files, tallies):
            file.write_text(counted)
        return subprocess.call([*command, *files])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", help="the objects, in any file system that Spark reads")
    parser.add_argument("--catalogue", required=True, help="the folder of the new prices")
    parser.add_argument("--zones-dir", help="the folder of the captured zones")
    parser.add_argument("--parts", type=int, help="how many parts at least; a part has 128 MB of objects at most, or one")
    parser.add_argument("--command", default="order-cost", help="the command on a worker")
    parser.add_argument("--impact", default="", help='further options of impact, such as --impact="--skip-broken"')
    parser.add_argument("--merge", default="", help='options of merge, such as --merge="--max-impact 0.5%%"')
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as packed:
        tallies = count(options, packed)
    return merge([*shlex.split(options.command), "merge", *shlex.split(options.merge)], tallies)


if __name__ == "__main__":
    sys.exit(main())
