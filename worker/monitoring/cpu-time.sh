#!/bin/sh
# Requests of the last day and the 99th percentile of their CPU time, in microseconds, as Cloudflare measures it. In production
# the clock stands still while the Worker computes, so no line of the log can have its own time.
# Needs CLOUDFLARE_ACCOUNT_ID, and CLOUDFLARE_API_TOKEN with the permission Account Analytics: Read.
set -eu
curl --fail-with-body https://api.cloudflare.com/client/v4/graphql -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" --json @- <<END
{ "query": "{ viewer { accounts(filter: {accountTag: \"$CLOUDFLARE_ACCOUNT_ID\"}) { workersInvocationsAdaptive(limit: 1, filter: {scriptName: \"order-cost-production\", datetime_geq: \"$(date -u -d '-1 day' +%FT%TZ)\"}) { sum { requests } quantiles { cpuTimeP99 } } } } }" }
END
