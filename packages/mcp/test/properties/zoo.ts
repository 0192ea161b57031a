/** Handlers that misbehave, each in a way of its own, and one that does not. */
import { type Context, RpcError, reply, type Server, type ServerTypes, server, text } from '@trunkline/mcp'
import { z } from 'zod'

type Misbehaviour = (input: object, ctx: Context) => unknown

const circular = (): object => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  return loop
}
const deep = (levels: number): unknown => {
  let nested: unknown = 'bottom'
  for (let level = 0; level < levels; level++) nested = [nested]
  return nested
}
const broken = new Proxy(
  {},
  {
    get: () => {
      throw new Error('get')
    },
    ownKeys: () => {
      throw new Error('ownKeys')
    },
    getPrototypeOf: () => {
      throw new Error('getPrototypeOf')
    },
  },
)
const fail = (reason: unknown): never => {
  throw reason
}
const soon = (run: () => unknown): void => void setImmediate(run)
const form = z.object({ ok: z.boolean() })
const question = { messages: [{ role: 'user', content: text('hm?') }], maxTokens: 1 } as const

/** Those that come to an end by themselves. */
export const ending: { readonly [name: string]: Misbehaviour } = {
  'throws at once': () => fail(new Error('at once')),
  'throws later': async () => fail(new Error('later')),
  'throws a string': () => fail('a string'),
  'throws null': () => fail(null),
  'throws undefined': () => fail(undefined),
  'throws a symbol': () => fail(Symbol('thrown')),
  'throws what cannot be looked at': () => fail(broken),
  'throws an error whose message throws': () =>
    fail(Object.defineProperty(new Error(), 'message', { get: () => fail(new Error('message')) })),
  'throws an error whose message is no text': () => fail(Object.assign(new Error(), { message: 5n })),
  'throws an error that causes itself': () => fail(Object.assign(new Error('why'), { cause: circular() })),
  'throws an aggregate': () => fail(new AggregateError([new Error('one'), 'two'])),
  'throws a refusal with circular data': () => fail(new RpcError(-1, 'refused', circular())),
  'throws a refusal with a BigInt': () => fail(new RpcError(-1, 'refused', { n: 5n })),
  'throws a refusal without a number': () => fail(new RpcError(Number.NaN, 'refused')),
  'overflows the stack': () => {
    const again = (): number => again() + 1
    return again()
  },
  'returns a circle': circular,
  'returns a BigInt': () => 5n,
  'returns a BigInt inside': () => ({ n: 5n }),
  'returns a symbol': () => Symbol('returned'),
  'returns a function': () => () => 'inner',
  'returns NaN': () => Number.NaN,
  'returns a Map': () => new Map([[1, 2]]),
  'returns an error': () => new Error('returned'),
  'returns what cannot be looked at': () => broken,
  'returns a getter that throws': () => ({
    get value() {
      return fail(new Error('getter'))
    },
  }),
  'returns a toJSON that throws': () => ({ toJSON: () => fail(new Error('toJSON')) }),
  'returns a toJSON of nothing': () => ({ toJSON: () => undefined }),
  'returns content that is none': () => reply([{ type: 'text' } as never]),
  'returns content of an unknown kind': () => reply([{ type: 'smell', of: 'coffee' } as never]),
  'returns a circle beside content': () => reply('fine', { structured: circular() }),
  'returns half a character': () => 'half of a pair: \ud83d',
  'returns line breaks': () => 'one\ntwo\r\nthree\u2028four',
  'returns a member named __proto__': () => JSON.parse('{"__proto__":{"admin":true}}'),
  'returns much': () => 'x'.repeat(3_000_000),
  'returns many pieces': () => Array.from({ length: 10_000 }, (_, n) => text(String(n))),
  'returns depths': () => deep(50_000),
  'resolves twice': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the misbehaviour
    then: (resolve: (value: string) => void) => {
      resolve('first')
      resolve('second')
    },
  }),
  'resolves and throws': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the misbehaviour
    then: (resolve: (value: string) => void) => {
      resolve('first')
      fail(new Error('after'))
    },
  }),
  'is a thenable that throws': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the misbehaviour
    get then() {
      return fail(new Error('then'))
    },
  }),
  'reports progress that is none': async (_input, { progress }) => {
    for (const report of [Number.NaN, 'far', 5n, {}, null, Number.POSITIVE_INFINITY]) await progress(report as number)
  },
  'reports progress ten thousand times': (_input, { progress }) => {
    for (let step = 0; step < 10_000; step++) void progress(step)
  },
  'reports progress after its end': (_input, { progress }) => soon(() => progress(1)),
  'logs after its end': (_input, { log }) => soon(() => log('error', 'late')),
  'asks after its end': (_input, { elicit }) => soon(() => elicit('Still there?', form).catch(() => {})),
  'logs a level that does not exist': (_input, { log }) => log('loud' as never, 'hm'),
  'asks and does not wait': (_input, { elicit, sample, roots }) => {
    for (const asked of [elicit('Hm?', form), sample(question), roots()]) asked.catch(() => {})
  },
  'asks what cannot be asked': (_input, { elicit }) => elicit('Hm?', z.object({ a: z.object({ b: z.any() }) })),
  'samples with a circle': (_input, { sample }) => sample({ ...question, metadata: circular() as never }),
  'does once what fails': (_input, { once }) => once('it', () => fail(new Error('once'))),
  'does once what is a circle': (_input, { once }) => once('it', circular),
  'prints to standard output': () => console.log('{"jsonrpc":"2.0","id":0,"result":{}}'),
  'changes its input': (input) => Object.assign(input, { changed: true }),
}

/** Those that have to be cancelled. */
export const endless: { readonly [name: string]: Misbehaviour } = {
  'never ends': () => new Promise(() => {}),
  'ends after it was cancelled': (_input, { signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => soon(() => resolve('late')))),
  'fails after it was cancelled': (_input, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => soon(() => reject(new Error('late'))))),
  'talks after it was cancelled': (_input, { signal, progress, log, elicit }) =>
    new Promise(() => {
      const talk = () => Promise.allSettled([progress(9), log('error', 'late'), elicit('Hm?', form)])
      signal.addEventListener('abort', () => soon(talk))
    }),
  'is a thenable that never ends': () => ({
    // biome-ignore lint/suspicious/noThenProperty: that is the misbehaviour
    then: () => {},
  }),
}

/** A server with all of them, and a tool that returns the uncaught errors. */
export function zoo(uncaught: readonly string[]): Server<ServerTypes> {
  const keeper = server({ name: 'zoo', version: '1', onError: () => {}, onWarning: () => {} })
    .tool('healthy', {}, () => 'fine')
    .tool('uncaught', {}, () => JSON.stringify(uncaught))
  for (const [name, handler] of Object.entries({ ...ending, ...endless }))
    keeper.tool(name, {}, handler as () => string)
  return keeper
}

/** Records every uncaught error of this process. */
export function watchUncaught(): string[] {
  const uncaught: string[] = []
  process.on('unhandledRejection', (reason) => uncaught.push(`unhandled rejection: ${String(reason)}`))
  process.on('uncaughtException', (error) => uncaught.push(`uncaught exception: ${String(error)}`))
  return uncaught
}
