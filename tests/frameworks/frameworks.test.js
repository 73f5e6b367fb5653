// They share a process, because the page and the compilers take longer to load than most tests to run.
import "./react-18/react.js";
import "./react-19/react.js";
import "./vue/vue.js";
import "./svelte/svelte.js";
