using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed ".cache/worker.bundle.js")],
  compatibilityDate = "2026-07-28",
  globalOutbound = "loopback",
  durableObjectNamespaces = [(className = "Site", uniqueKey = "site")],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "site", durableObjectNamespace = "Site")],
);
