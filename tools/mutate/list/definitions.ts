import type { Mutation } from '../mutation.ts'

/** Schemas, patterns and what authors define. */
export const definitions: readonly Mutation[] = [
  {
    breaks: 'an expression in the sources backtracks',
    file: 'src/transports/http/client/backoff.ts',
    from: '/^\\s*\\d+\\s*$/',
    to: '/^(\\s*\\d+)+\\s*$/',
    noticedBy: ['test/threats/regexes.test.ts'],
    threat: 17,
  },
  {
    breaks: 'patterns run on the engine that backtracks',
    file: 'src/schema/json-schema/pattern/patterns.ts',
    from: 'this.#limits.trusted ? native(source) : this.#linear(source)',
    to: 'native(source)',
    noticedBy: ['src/schema/json-schema/pattern/patterns.test.ts'],
    threat: 18,
  },
  {
    breaks: 'a pattern costs nothing',
    file: 'src/schema/json-schema/pattern/simulation.ts',
    from: 'meter.pay(1 + this.#visited)',
    to: '',
    noticedBy: ['src/schema/json-schema/hostile.test.ts'],
    threat: 18,
  },
  {
    breaks: 'a reference into the network is taken for a schema that allows everything',
    file: 'src/schema/json-schema/references.ts',
    from: 'if (!resource)\n      throw',
    to: 'if (!resource) return { schema: {}, resource: this.root }\n    if (!resource)\n      throw',
    noticedBy: ['test/threats/network-references.test.ts'],
    threat: 19,
  },
  {
    breaks: 'a handler that throws takes the process along',
    file: 'src/transports/http/server/exchange.ts',
    from: '(error) => this.#refused(error),',
    to: '',
    noticedBy: ['test/threats/survival.test.ts'],
    threat: 21,
  },
  {
    breaks: 'a handler that throws in a session takes the process along',
    file: 'src/rpc/served-requests.ts',
    from: '(error) => this.#refuse(incoming, error, batch),',
    to: '',
    noticedBy: ['test/threats/survival.test.ts'],
    threat: 21,
  },
  {
    breaks: 'every object has tools called constructor and toString',
    file: 'src/server/registry.ts',
    from: 'const found = this.#all().get(name)',
    to: 'const found = Object.fromEntries(this.#all())[name]',
    noticedBy: ['test/threats/prototype-names.test.ts'],
    threat: 20,
  },
  {
    breaks: 'names of the other side are found on the prototype',
    file: 'src/model/header-params.ts',
    from: 'isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined',
    to: '(at as Fields | undefined)?.[name]',
    noticedBy: ['src/model/header-params.test.ts'],
  },
]
