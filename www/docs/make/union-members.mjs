// A plugin of TypeDoc: what a type says of each member of a union, as a list below the type. Its Markdown leaves that out.
import { Comment, Converter, ReflectionKind } from "typedoc";

/** After TypeDoc has resolved the links of comments. */
const LATE = -1000;

export function load(app) {
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      for (const reflection of project.getReflectionsByKind(ReflectionKind.TypeAlias | ReflectionKind.Property)) describe(reflection);
    },
    LATE,
  );
}

function describe(reflection) {
  const { type } = reflection;
  if (type?.type !== "union" || !type.elementSummaries?.some((parts) => parts.length > 0)) return;
  reflection.comment ??= new Comment();
  const text = (text) => ({ kind: "text", text });
  for (const [index, parts] of type.elementSummaries.entries()) {
    if (parts.length === 0) continue;
    const separator = reflection.kind === ReflectionKind.TypeAlias ? `${index === 0 ? "\n" : ""}\n- ` : " ";
    reflection.comment.summary.push(text(`${separator}\`${type.types[index].toString().replaceAll("`", "")}\`: `), ...parts);
  }
}
