// The comments of JavaScript sources, by TypeScript's compiler.
import { readFileSync } from "node:fs";
import ts from "typescript";

/** The syntax tree of a JavaScript file. */
export const parsed = (file) => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);

/**
 * The entries of `const <name> = { … }`, each with what the comment above it says: `{ name, says, default }`. `default` is the
 * comment's tag, if it has one.
 */
export function entriesOf(file, name) {
  const literal = [...nodes(parsed(file))].find((node) => ts.isVariableDeclaration(node) && node.name.getText() === name)?.initializer;
  if (!literal || !ts.isObjectLiteralExpression(literal)) throw new Error(`${file} has no object ${name}`);
  return literal.properties.filter(ts.isPropertyAssignment).map((entry) => ({ name: keyOf(entry), ...commentOf(entry) }));
}

/** The properties of `@typedef {object} <name>`, each with what it says: `{ name, says }`. */
export function propertiesOf(file, name) {
  const typedef = [...nodes(parsed(file))].find((node) => ts.isJSDocTypedefTag(node) && node.name?.text === name);
  if (!typedef) throw new Error(`${file} has no type ${name}`);
  return typedef.typeExpression.jsDocPropertyTags.map((tag) => {
    // TypeScript ends a name at its hyphen.
    const [, rest, says] = plain(tag.comment).match(/^((?:-\w+)*) ?(.*)$/);
    return { name: tag.name.getText() + rest, says };
  });
}

/** The keys of an object that is written out. */
export const keysOf = (literal) => literal.properties.filter(({ name }) => name).map(keyOf);

/** Every node of the tree. */
export function* nodes(node) {
  yield node;
  for (const child of node.getChildren()) yield* nodes(child);
}

const keyOf = ({ name }) => name.text ?? name.getText();

function commentOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node).slice(-1);
  const tag = comment?.tags?.find(({ tagName }) => tagName.text === "default");
  return { says: plain(comment?.comment), default: tag && plain(tag.comment) };
}

const plain = (comment) => (ts.getTextOfJSDocComment(comment) ?? "").replace(/\s+/g, " ").trim();
