//! The test suites: what each is, what it needs, and what runs it.

use crate::tools::{
    CHROMIUM, ENGINES, JAVA, JRE, NODE, Need, PROMTOOL, PYTHON, Python, SPARK, WASI_TARGET,
    WASM_TARGET,
};

pub(crate) struct Suite {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(super) runner: Runner,
    /// What has to be on the machine besides Rust
    pub(super) needs: &'static [&'static Need],
    pub(super) builds: &'static [Build],
    /// The folders whose npm packages it imports besides those of tests/ and worker/
    pub(super) packages: &'static [&'static str],
    /// What the suite compiles itself: Cargo skips what has not changed
    pub(super) programs: &'static [Program],
    pub(super) python: Option<Python>,
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// How many of its files run beside each other. The suites do so themselves
    pub(super) files_at_once: u32,
    /// A test that takes longer has failed, after so many seconds
    pub(super) seconds: u32,
    /// It installs for minutes
    pub(super) only_if_named: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Runner {
    /// `cargo test` with these arguments
    Cargo(&'static str),
    /// `node --test` over the suite's folder in tests/
    Node,
    /// The compiler of TypeScript over the suite's folder in tests/
    TypeScript,
}

/// What is made before the suites run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Build {
    Package,
    /// The package with faults
    FaultyPackage,
    Documents,
}

/// A program for tests.
pub(super) struct Program {
    /// The variable that names it to the tests
    pub(super) variable: &'static str,
    /// The arguments of Cargo, and the place in its target folder
    pub(super) build: &'static str,
    pub(super) path: &'static str,
    /// The only test file that needs it, if it takes long to compile
    pub(super) only_for: Option<&'static str>,
}

/// tests/node/work as WebAssembly.
const WORK: Program = Program {
    variable: "WORK",
    build: "build --release --target wasm32-wasip2 --package order-cost-work",
    path: "wasm32-wasip2/release/work.wasm",
    only_for: None,
};

/// examples/component.rs, as its users compile it.
const COMPONENT: Program = Program {
    variable: "COMPONENT",
    build: "build --release --target wasm32-wasip2 --package order-cost --example component",
    path: "wasm32-wasip2/release/examples/component.wasm",
    only_for: Some("night/component.test.js"),
};

/// tests/everywhere/native.rs.
const NATIVE: Program = Program {
    variable: "NATIVE",
    build: "build --package order-cost --example everywhere",
    path: "debug/examples/everywhere",
    only_for: None,
};

const RUST: Suite = Suite {
    name: "",
    about: "",
    runner: Runner::Cargo(""),
    needs: &[],
    builds: &[],
    packages: &[],
    programs: &[],
    python: None,
    environment: &[],
    files_at_once: 1,
    seconds: 600,
    only_if_named: false,
};
const JAVASCRIPT: Suite = Suite {
    runner: Runner::Node,
    needs: &[&NODE, &WASM_TARGET],
    builds: &[Build::Package],
    ..RUST
};
const IN_CHROMIUM: Suite = Suite {
    needs: &[&NODE, &WASM_TARGET, &CHROMIUM],
    ..JAVASCRIPT
};

/// First the one that compiles the longest, then the longest to run, so that no long one runs alone at the end.
pub(crate) static SUITES: [Suite; 18] = [
    Suite {
        name: "native",
        about: "The crate's unit and golden tests, compiled natively",
        runner: Runner::Cargo("--package order-cost"),
        ..RUST
    },
    Suite {
        name: "data",
        about: "tests/data: prices published as versions, on the local store and on a fake of Cloudflare's API",
        ..JAVASCRIPT
    },
    Suite {
        name: "worker",
        about: "tests/worker: the service in workerd and on Node.js, and its services",
        ..JAVASCRIPT
    },
    Suite {
        name: "package",
        about: "tests/package: the built npm package in Node.js",
        builds: &[Build::Package, Build::FaultyPackage],
        files_at_once: 2,
        ..JAVASCRIPT
    },
    Suite {
        name: "node",
        about: "tests/node: the service on Node.js: its processes, its image, its monitoring; and the crate in Python",
        needs: &[&NODE, &WASM_TARGET, &WASI_TARGET, &PYTHON, &PROMTOOL],
        programs: &[WORK, COMPONENT],
        python: Some(Python {
            folder: "tests/node",
            programs: &[
                ("KUBERNETES_VALIDATE", "kubernetes-validate"),
                ("PYTHON_WITH_PACKAGES", "python"),
            ],
        }),
        files_at_once: 2,
        ..JAVASCRIPT
    },
    Suite {
        name: "browser",
        about: "tests/browser: the page in headless Chromium",
        ..IN_CHROMIUM
    },
    Suite {
        name: "migration",
        about: "tests/migration: the shadow Worker between the pricing Worker and an old service",
        ..JAVASCRIPT
    },
    Suite {
        name: "site",
        about: "tests/site: the site of documents: its pages, links, tutorials and playground",
        builds: &[Build::Package, Build::Documents],
        ..IN_CHROMIUM
    },
    Suite {
        name: "wasm-node",
        about: "tests/wasm.rs: the binding in Node.js",
        runner: Runner::Cargo("--package order-cost --target wasm32-unknown-unknown --test wasm"),
        needs: &[&NODE, &WASM_TARGET],
        ..RUST
    },
    Suite {
        name: "everywhere",
        about: "tests/everywhere: native Rust, Node.js, Chromium and workerd give the same bytes",
        programs: &[NATIVE],
        ..IN_CHROMIUM
    },
    Suite {
        name: "simulation",
        about: "tests/simulation: random actions of baskets, hosts and clocks beside a model",
        ..JAVASCRIPT
    },
    Suite {
        name: "frameworks",
        about: "tests/frameworks: the package's baskets in React, Vue and Svelte",
        packages: &["tests/frameworks/react-18"],
        // Through its link the package finds the framework of the test's folder.
        environment: &[("NODE_OPTIONS", "--preserve-symlinks")],
        ..JAVASCRIPT
    },
    Suite {
        name: "xtask",
        about: "The tests of xtask",
        runner: Runner::Cargo("--package xtask"),
        needs: &[&NODE],
        ..RUST
    },
    Suite {
        name: "model",
        about: "tests/model: the naive model and the golden cases",
        ..JAVASCRIPT
    },
    Suite {
        name: "types",
        about: "tests/types: the package's types, checked by TypeScript",
        runner: Runner::TypeScript,
        ..JAVASCRIPT
    },
    Suite {
        name: "matrix",
        about: "tests/matrix: the packed package in bundlers, frameworks, runtimes and test runners; runs only when named",
        needs: &[&NODE, &WASM_TARGET, &CHROMIUM, &JAVA, &PYTHON],
        python: Some(Python {
            folder: "tests/matrix/examples/python",
            programs: &[("PYTEST", "pytest")],
        }),
        seconds: 3600,
        only_if_named: true,
        ..JAVASCRIPT
    },
    Suite {
        name: "engines",
        about: "tests/engines: the package and the page in Chromium, Firefox and WebKitGTK; runs only when named",
        needs: &[&NODE, &WASM_TARGET, &CHROMIUM, &ENGINES],
        only_if_named: true,
        ..JAVASCRIPT
    },
    Suite {
        name: "spark",
        about: "tests/spark: examples/spark on a cluster of two executors; runs only when named",
        needs: &[&NODE, &WASM_TARGET, &PYTHON, &JRE],
        packages: &["benches"],
        python: Some(SPARK),
        seconds: 3600,
        only_if_named: true,
        ..JAVASCRIPT
    },
];

impl Suite {
    /// The suites that `cargo xtask test` runs.
    pub(crate) fn unnamed() -> Vec<&'static Self> {
        SUITES.iter().filter(|suite| !suite.only_if_named).collect()
    }

    /// The suite of this name, which is one of the table.
    pub(crate) fn named(name: &str) -> &'static Self {
        let suite = SUITES.iter().find(|suite| suite.name == name);
        suite.expect("a suite of the table")
    }
}
