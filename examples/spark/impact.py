"""What new prices do to captures on object storage, counted by a Spark cluster.

  spark-submit impact.py 's3a://shop/captures/*.gz' --catalogue catalogue/ --merge="--html impact.html"

A part is one or more whole objects, which go to `order-cost impact` through a pipe, packed as they are: each ends with a
line break. An object has to fit into a worker's memory. Each worker needs Node.js and the command; Spark brings it the zones and a copy of the
catalogue, once: all parts count with one version, whatever is activated meanwhile.
"""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark import SparkFiles
from pyspark.sql import SparkSession


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", help="the objects, in any file system that Spark reads")
    parser.add_argument("--catalogue", required=True, help="the new prices: a folder or a URL")
    parser.add_argument("--catalogue-version", help="a version that was pushed there, in place of the one in use")
    parser.add_argument("--zones-dir", help="the folder of the captured zones")
    parser.add_argument("--parts", type=int, help="how many parts about; a part has 128 MB at most, or one object")
    parser.add_argument("--command", default="order-cost", help="the command, here and on a worker")
    parser.add_argument("--impact", default="", help='further options of impact, such as --impact="--skip-broken"')
    parser.add_argument("--merge", default="", help='options of merge, such as --merge="--max-impact 0.5%%"')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as packed:
        try:
            tallies = count(options, packed)
        except Exception as error:
            print(cause_of(error), file=sys.stderr)
            return 2  # not 1, with which `merge` stops a change
    return merge(options, tallies)


def count(options, packed):
    """Runs the cluster. Returns the tallies; workers fetch what is in the folder `packed` meanwhile."""
    folders = {"catalogue": copied_catalogue(options, packed), "zones-dir": options.zones_dir}
    brought = {name: folder for name, folder in folders.items() if folder}
    spark = SparkSession.builder.appName("order-cost").getOrCreate().sparkContext
    for name, folder in brought.items():
        archive = shutil.make_archive(str(Path(packed, name)), "gztar", folder)
        spark.addArchive(f"{archive}#{name}")
    impact = [*shlex.split(options.command), "impact", "-", "--threads", "1", *shlex.split(options.impact)]
    objects = spark.binaryFiles(options.captures, options.parts)
    tallies = objects.mapPartitions(lambda part: tally(impact, list(brought), part)).collect()
    spark.stop()
    return tallies


def copied_catalogue(options, packed):
    """Copies the catalogue's version in use, or the one that is named, into a folder."""
    folder = str(Path(packed, "copy"))
    version = ["--catalogue-version", options.catalogue_version] if options.catalogue_version else []
    copying = [*shlex.split(options.command), "copy-catalogue", options.catalogue, folder, *version]
    if subprocess.call(copying) != 0:
        sys.exit(2)  # the command has said why
    return folder


def cause_of(error):
    """What a worker has said, or the message of Spark, without the stacks around both."""
    said = re.findall("^RuntimeError: (.*)$", str(error), re.MULTILINE)
    java = getattr(error, "java_exception", None)
    return said[-1] if said else java.getMessage() if java else error


def tally(impact, brought, objects):
    """Counts a part, on a worker."""
    # In the worker's own folder, which Spark removes also after a worker that was killed.
    with tempfile.TemporaryDirectory(dir=".") as folder:
        counted, said = Path(folder, "tally.json"), Path(folder, "said")
        command = [*impact, "--tally", counted]
        for name in brought:
            command += [f"--{name}", SparkFiles.get(name)]
        with said.open("wb") as stderr:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=stderr)
        names = []
        try:
            with process.stdin as pipe:
                for name, content in objects:
                    names.append(name)
                    pipe.write(content)
        except BrokenPipeError:
            pass  # it has ended before it has read all, and has said why
        if process.wait() != 0:
            cause = said.read_text() or f"{impact[0]} ended with {process.returncode}"
            raise RuntimeError(f"{', '.join(names)}: {cause}")
        yield counted.read_text()


def merge(options, tallies):
    """Prints the report of all parts, and returns the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{part}.json") for part in range(len(tallies))]
        for file, counted in zip(files, tallies):
            file.write_text(counted)
        return subprocess.call([*shlex.split(options.command), "merge", *shlex.split(options.merge), *files])


if __name__ == "__main__":
    sys.exit(main())
