import type { ClientSide, Dialect, Greeting } from '../dialects/dialect.ts'
import {
  HeaderMismatch,
  McpError,
  MissingClientCapability,
  RpcError,
  TrunklineError,
  UnsupportedVersion,
} from '../wire/errors.ts'
import { isObject } from '../wire/messages.ts'
import type { ConnectDeadline } from './connect-deadline.ts'
import type { Dial } from './dial.ts'
import type { ClientLink } from './link.ts'

/** The opening that worked with a server before. */
export interface KnownOpening {
  get(): Dialect['opening'] | undefined
  set(opening: Dialect['opening']): void
  forget(): void
}

export interface Negotiation {
  readonly self: ClientSide
  /** The dialects of the client, newest first. */
  readonly dialects: readonly Dialect[]
  readonly probeMs: number
  readonly knownOpening: KnownOpening
  /** The deadline of all of negotiation; closes what is left open. */
  readonly deadline: ConnectDeadline
}

export interface Agreement {
  readonly link: ClientLink
  readonly dialect: Dialect
  readonly greeting: Greeting
}

/** Negotiates the newest common revision: `server/discover` first, unless the server is known to need a handshake. */
export async function negotiate(dial: Dial, negotiation: Negotiation): Promise<Agreement> {
  const { dialects, knownOpening, deadline } = negotiation
  const link = await deadline.dial(dial)
  try {
    if (link.needsHandshake && !hasHandshake(negotiation)) throw handshakeNeeded()
    const [newest] = dialects.filter(({ opening }) => opening === 'none')
    const probes = newest !== undefined && knownOpening.get() !== 'handshake'
    const agreement = probes ? await probe(link, newest, negotiation) : undefined
    if (agreement) return agreed(agreement, knownOpening)
    const shaken = await shakeHands(link, negotiation).catch((error: unknown) => {
      if (probes && link.closed) return undefined
      throw error
    })
    if (shaken) return agreed(shaken, knownOpening)
  } catch (error) {
    knownOpening.forget()
    throw error
  }
  // it exited on the unknown request, so it is started again with a handshake
  await link.close()
  return agreed(await shakeHands(await deadline.dial(dial), negotiation), knownOpening)
}

function agreed(agreement: Agreement, verdict: KnownOpening): Agreement {
  verdict.set(agreement.dialect.opening)
  agreement.link.speak(agreement.dialect)
  return agreement
}

/** Sends `server/discover`; undefined when the answer shows that the server needs a handshake. */
async function probe(link: ClientLink, dialect: Dialect, negotiation: Negotiation): Promise<Agreement | undefined> {
  const { self, deadline } = negotiation
  const asking = dialect.greet(deadline.over(link), self).then((greeting) => taken(link, greeting, negotiation))
  const outcome = await answerOrSilence(asking, link, negotiation)
  if (outcome === 'silent') return eitherWay(link, asking, negotiation)
  if (!(outcome instanceof Refused)) return outcome
  const { error } = outcome
  // HTTP+SSE has none of the headers that the newest revision wants, so that they are missing says nothing
  const isOfTransport = link.needsHandshake && error instanceof RpcError && error.code === HeaderMismatch
  if (isRecognised(error) && !isOfTransport) return corrected(link, error, negotiation)
  if (isNoEvidence(error)) throw error
  if (hasHandshake(negotiation)) return undefined
  if (error instanceof McpError && olderStatuses.has(error.status ?? 0)) throw perhapsOlder(error, negotiation)
  throw error instanceof RpcError ? nothingInCommon(negotiation.dialects, error) : error
}

/** The answers of a server that only has HTTP+SSE at the address. */
const olderStatuses: ReadonlySet<number> = new Set([400, 404, 405])

const ways = `offer an older revision as well, or use the server's address for Streamable HTTP`

function handshakeNeeded(): McpError {
  return new McpError('Unsupported', `Cannot connect without a handshake over HTTP+SSE: ${ways}`, {
    outcome: 'NotSent',
  })
}

/** HTTP+SSE carries only revisions with a handshake, which this client does not offer. */
function perhapsOlder(error: McpError, { dialects }: Negotiation): McpError {
  const offered = dialects.map(({ revision }) => revision).join(', ')
  const { status } = error
  return new McpError('Http', `${error.message}; if this is an address of HTTP+SSE, which has no ${offered}: ${ways}`, {
    outcome: 'NotSent',
    cause: error,
    ...(status !== undefined && { status }),
  })
}

/** The answer, or silence after `probeMs`; without another opening it waits until the deadline. */
async function answerOrSilence(asking: Promise<Agreement>, link: ClientLink, negotiation: Negotiation) {
  const { probeMs, deadline } = negotiation
  const answer = asking.catch((error: unknown) => new Refused(error))
  if (!hasHandshake(negotiation)) return answer
  // the handshake needs its time as well
  const silence = delay(Math.min(probeMs, deadline.timeoutMs / 2), () => link.isHeld)
  const outcome = await Promise.race([answer, silence.promise])
  silence.cancel()
  return outcome
}

function hasHandshake({ dialects }: Negotiation): boolean {
  return dialects.some(({ opening }) => opening === 'handshake')
}

/** A server that answers `server/discover` may still want another revision. */
async function taken(link: ClientLink, greeting: Greeting, negotiation: Negotiation): Promise<Agreement> {
  const agreement = pick(link, greeting, negotiation.dialects)
  if (agreement.dialect.opening === 'none') return agreement
  return shakeHands(link, { ...negotiation, dialects: [agreement.dialect] })
}

// refused access and gateway errors say nothing about the server's revision
const silentStatuses: ReadonlySet<number> = new Set([101, 401, 403, 408, 429, 502, 503, 504])

// neither do connection failures
const silentCodes: ReadonlySet<string> = new Set(['NotSent', 'Spawn', 'Unauthorized', 'Misuse'])

/** True if an error says nothing about the revisions of the server; neither does an aborted call. */
function isNoEvidence(error: unknown): boolean {
  if (!(error instanceof TrunklineError)) return true
  if (!(error instanceof McpError)) return false
  const { code, status = 0 } = error
  return silentCodes.has(code) || silentStatuses.has(status) || (status >= 300 && status < 400)
}

class Refused {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Tries both openings at once, because a slow server may still answer `server/discover`. */
async function eitherWay(
  link: ClientLink,
  asking: Promise<Agreement>,
  negotiation: Negotiation,
): Promise<Agreement | undefined> {
  const shaking = shakeHands(link, negotiation)
  try {
    return await Promise.any([asking, shaking])
  } catch {
    if (link.closed) return undefined
    return shaking
  }
}

// only these errors show that the server knows the newest revision
const recognised: readonly unknown[] = [HeaderMismatch, MissingClientCapability, UnsupportedVersion]

function isRecognised(error: unknown): error is RpcError {
  return error instanceof RpcError && recognised.includes(error.code)
}

/** Uses a revision that the server names in its error, if the client has it. */
async function corrected(link: ClientLink, error: RpcError, negotiation: Negotiation): Promise<Agreement> {
  const supported = isObject(error.data) && Array.isArray(error.data.supported) ? error.data.supported : []
  const common = negotiation.dialects.filter(({ revision }) => supported.includes(revision))
  const [best] = common
  if (!best) throw error
  if (best.opening === 'handshake') return shakeHands(link, { ...negotiation, dialects: common })
  return pick(link, await best.greet(negotiation.deadline.over(link), negotiation.self), common)
}

async function shakeHands(link: ClientLink, { self, dialects, deadline }: Negotiation): Promise<Agreement> {
  const candidates = dialects.filter(({ opening }) => opening === 'handshake')
  const [first] = candidates
  if (!first) throw nothingInCommon(dialects)
  const opening = deadline.over(link)
  const agreement = pick(link, await first.greet(opening, self), candidates)
  // the server may send requests as soon as the handshake is complete
  link.speak(agreement.dialect)
  await opening.notify('notifications/initialized', {})
  return agreement
}

function nothingInCommon(dialects: readonly Dialect[], cause?: Error): McpError {
  const offered = dialects.map(({ revision }) => revision).join(', ')
  const message = `Cannot connect: the server speaks no revision that this client offers (${offered})`
  return new McpError('Unsupported', message, { outcome: 'NotSent', cause })
}

function pick(link: ClientLink, greeting: Greeting, dialects: readonly Dialect[]): Agreement {
  const dialect = dialects.find(({ revision }) => revision === greeting.revision)
  if (dialect) return { link, greeting, dialect }
  const spoken = dialects.map(({ revision }) => revision).join(', ')
  throw new McpError(
    'Unsupported',
    `Cannot connect: the server wants to speak ${greeting.revision}, this client speaks ${spoken}`,
    { outcome: 'NotSent' },
  )
}

function delay(ms: number, isHeld: () => boolean) {
  let timer: ReturnType<typeof setTimeout>
  const promise = new Promise<'silent'>((resolve) => {
    const wait = (): void => {
      timer = setTimeout(() => (isHeld() ? wait() : resolve('silent')), ms)
    }
    wait()
  })
  return { promise, cancel: () => clearTimeout(timer) }
}
