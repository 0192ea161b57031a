/** A proxy of one server, as small as one can be: every caller, every revision, whatever the server speaks. */
import {
  type Client,
  type ClientCapabilities,
  type ConnectOptions,
  connect,
  type Fields,
  type Target,
} from '../../src/index.ts'
import { type ClientQuestion, type InputRequired, type Relay, type RelayRequest, relay } from '../../src/relay.ts'

/** A call that goes on while its caller is away to answer a question. */
class ParkedCall {
  readonly result: Promise<Fields>
  readonly stop = new AbortController()
  /** The round that is served at the moment, which hears of progress. */
  attached: RelayRequest
  #ask: ((question: Pending) => void) | undefined
  #waiting: Pending[] = []

  constructor(request: RelayRequest, run: (call: ParkedCall) => Promise<Fields>) {
    this.attached = request
    this.result = run(this)
    this.result.catch(() => {})
  }

  /** For the server's side: asks the client that is attached at the moment, or the next to come. */
  ask(question: ClientQuestion): Promise<Fields> {
    return new Promise((answer, refuse) => {
      const pending = { question, answer, refuse }
      if (this.#ask) this.#ask(pending)
      else this.#waiting.push(pending)
    })
  }

  /** For the caller's side: the next question, or nothing when the call is over. */
  async question(): Promise<Pending | undefined> {
    const [next] = this.#waiting.splice(0, 1)
    if (next) return next
    const asked = new Promise<Pending>((resolve) => {
      this.#ask = (pending) => {
        this.#ask = undefined
        resolve(pending)
      }
    })
    return Promise.race([asked, this.result.then(() => undefined)])
  }
}

interface Pending {
  readonly question: ClientQuestion
  answer(answer: Fields): void
  refuse(reason: unknown): void
}

const capabilities: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
}

/** A relay in front of a server, and what it holds. */
export interface Proxy extends AsyncDisposable {
  readonly relay: Relay
  readonly upstream: Client
  /** Calls that are worked on. */
  readonly parked: ReadonlyMap<string, unknown>
}

/** Puts a proxy in front of a server. */
export async function proxy(target: Target, options: ConnectOptions = {}): Promise<Proxy> {
  const parked = new Map<string, ParkedCall>()
  const upstream = await connect(target, {
    ...options,
    cache: false,
    relay: {
      capabilities,
      answer: (method, params, during) => {
        // where the transport does not tell, a single call in flight can only be the one
        const call = (during?.context as ParkedCall | undefined) ?? [...parked.values()][0]
        if (!call) throw new Error('Nobody to ask')
        return call.ask({ method, params })
      },
    },
  })
  const call = (request: RelayRequest): ParkedCall =>
    new ParkedCall(request, (self) =>
      upstream.request(request.method, request.params, {
        signal: self.stop.signal,
        context: self,
        onProgress: (report) => self.attached.progress(report),
      }),
    )
  const front = relay({
    name: 'proxy',
    version: '1.0.0',
    capabilities: upstream.capabilities,
    keys: ['a secret of at least thirty-two characters'],
    instructions: (caller) => `for ${caller.info?.name}`,
    handle: (request) => handle(request, { parked, call }),
    watch: (_caller, onChange, uris) => {
      const watching = upstream.watch({ tools: true, prompts: true, resources: true, uris }, onChange)
      return () => void watching.then((watch) => watch.close())
    },
  })
  return {
    relay: front,
    upstream,
    parked,
    async [Symbol.asyncDispose]() {
      await front.close()
      await upstream.close()
    },
  }
}

interface Calls {
  readonly parked: Map<string, ParkedCall>
  call(request: RelayRequest): ParkedCall
}

async function handle(request: RelayRequest, { parked, call }: Calls): Promise<Fields | InputRequired> {
  const { rounds } = request
  const id = (rounds?.resumed?.state as string | undefined) ?? crypto.randomUUID()
  const known = parked.get(id)
  const one = known ?? call(request)
  parked.set(id, one)
  one.attached = request
  const abort = (): void => one.stop.abort(request.signal.reason)
  request.signal.addEventListener('abort', abort)
  try {
    const answer = rounds?.resumed?.answers.question
    if (answer) open.get(id)?.answer(answer)
    for (let next = await one.question(); next; next = await one.question()) {
      if (rounds) {
        open.set(id, next)
        return await rounds.require({ question: next.question }, id)
      }
      await request.ask(next.question.method, next.question.params).then(next.answer, next.refuse)
    }
    parked.delete(id)
    return await one.result
  } catch (error) {
    parked.delete(id)
    throw error
  } finally {
    request.signal.removeEventListener('abort', abort)
  }
}

/** Questions that wait for the next round. */
const open = new Map<string, Pending>()
