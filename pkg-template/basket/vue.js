import { getCurrentInstance, getCurrentScope, inject, onMounted, shallowReadonly, shallowRef, ssrContextKey, toValue, watch } from "vue";

/** What a basket shows, in a Vue component or effect scope. See vue.d.ts. */
export function useBasket(source) {
  const shown = shallowRef(null);
  if (rendersServerHtml()) {
    shown.value = toValue(source)?.initialSnapshot ?? null;
    const scope = getCurrentScope();
    onMounted(() => scope.run(() => follow(source, shown))); // never runs on a server
  } else {
    follow(source, shown);
  }
  return shallowReadonly(shown);
}

/** Whether this component makes a server's HTML, or takes it over in the browser: both have to show the same. */
function rendersServerHtml() {
  const instance = getCurrentInstance();
  // Vue gives a component its element before its setup only if the server has made it.
  return Boolean(instance && (instance.vnode.el || inject(ssrContextKey, null)));
}

/** Until the current scope ends. */
function follow(source, shown) {
  const showLatest = (basket, _previous, onCleanup) => {
    if (!basket) return (shown.value = null);
    onCleanup(basket.subscribe((snapshot) => (shown.value = snapshot)));
  };
  watch(() => toValue(source), showLatest, { immediate: true, flush: "sync" });
}
