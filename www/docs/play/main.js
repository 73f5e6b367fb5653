/** Shows the playground in `root`; what it returns takes it away again. */
export function mount(root) {
  root.textContent = "";
  return () => root.replaceChildren();
}
