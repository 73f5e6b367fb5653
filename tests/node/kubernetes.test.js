// worker/kubernetes.yaml: what Kubernetes accepts, and what the image and the service have.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { VARIABLES } from "../../worker/src/node/platform/variables.js";
import { settingsOf } from "../../worker/src/node/settings.js";
import { defaults, readOptions } from "../../worker/src/options/options.js";
import { readDockerfile } from "./dockerfile.js";
import { OLDEST, validated } from "./kubernetes.js";

const FILE = new URL("../../worker/kubernetes.yaml", import.meta.url);

const text = readFileSync(FILE, "utf8");
const documents = parseAllDocuments(text).map((document) => document.toJS());
const one = (kind) => documents.find((document) => document.kind === kind);

const { spec } = one("Deployment");
const pod = spec.template.spec;
const [container] = pod.containers;
const image = readDockerfile().get("program").instructions;
const env = image.find(({ keyword }) => keyword === "ENV").values;
const variables = { ...env, ...one("ConfigMap").data, ...one("Secret").stringData };
/** The variables with something in the place of each <…>. */
const filled = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll(/<([\w.]+)[^>]*>/g, "$1")]));

describe("kubernetes.yaml", () => {
  for (const version of [undefined, OLDEST]) {
    it(`is valid for Kubernetes ${version ?? "as it is now"}`, () => {
      assert.equal(validated(fileURLToPath(FILE), version), documents.length);
    });
  }

  it("names the oldest version that it is for", () => assert.match(text.split("\n")[0], new RegExp(`Kubernetes ${OLDEST} or later`)));

  it("has the image's ports and user", () => {
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, String(containerPort)]));
    assert.deepEqual(ports, { http: env.PORT, metrics: env.METRICS_PORT });
    assert.deepEqual(image.find(({ keyword }) => keyword === "EXPOSE").args, [env.PORT, env.METRICS_PORT]);
    const { runAsUser, runAsGroup } = pod.securityContext;
    assert.deepEqual(image.find(({ keyword }) => keyword === "USER").args, [`${runAsUser}:${runAsGroup}`]);
  });

  it("asks paths that the service answers", () => {
    const { paths } = JSON.parse(readFileSync(new URL("../../worker/openapi.json", import.meta.url), "utf8"));
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
      const { path, port } = container[probe].httpGet;
      assert.ok(paths[path]?.get, `${probe}: ${path}`);
      assert.equal(port, "http");
    }
    const { annotations } = spec.template.metadata;
    assert.equal(annotations["prometheus.io/port"], env.METRICS_PORT);
  });

  it("sets only variables of the service, to values with which it starts", () => {
    assert.doesNotThrow(() => settingsOf(filled));
    const known = new Set([...Object.keys(VARIABLES), ...Object.keys(defaults()), "NODE_ENV"]);
    assert.deepEqual(
      Object.keys(variables).filter((name) => !known.has(name)),
      [],
    );
  });

  it("gives the orders under way their time, and never has fewer pods", () => {
    const { deadlineMs } = readOptions(filled, VARIABLES).routes;
    const { seconds } = container.lifecycle.preStop.sleep;
    assert.ok(pod.terminationGracePeriodSeconds * 1000 > seconds * 1000 + deadlineMs);
    assert.equal(spec.strategy.rollingUpdate.maxUnavailable, 0);
    assert.ok(spec.replicas > one("PodDisruptionBudget").spec.maxUnavailable);
  });

  it("selects its own pods everywhere", () => {
    const { labels } = spec.template.metadata;
    const selectors = [
      spec.selector.matchLabels,
      one("Service").spec.selector,
      one("PodDisruptionBudget").spec.selector.matchLabels,
      pod.topologySpreadConstraints[0].labelSelector.matchLabels,
    ];
    for (const selector of selectors) assert.deepEqual(selector, labels);
  });

  it("keeps the metrics off the Service", () => {
    assert.deepEqual(
      one("Service").spec.ports.map(({ targetPort }) => targetPort),
      ["http"],
    );
  });
});
