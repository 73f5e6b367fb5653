"""Runs statements of Spark SQL, one after another."""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
for statement in sys.argv[1:]:
    spark.sql(statement)
spark.stop()
