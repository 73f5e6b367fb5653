// With `--import`: loading a module of OpenTelemetry fails.
import { register } from "node:module";

const hooks = `export function resolve(specifier, context, next) {
  if (specifier.startsWith("@opentelemetry/")) throw new Error("OpenTelemetry is loaded");
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
