import type { Fields } from '@trunkline/mcp'
import type { Host } from '../assembly/host.ts'
import type { Assertion } from '../inbox/proof/passkey.ts'
import { damagedProof } from '../inbox/proof/person-proof.ts'
import type { Question } from '../inbox/question.ts'
import { ApiError } from './api-error.ts'
import { refusing } from './proof-refusal.ts'
import type { RouteContext } from './route.ts'
import type { RouteName } from './routes.ts'
import type { ApiServices } from './services.ts'
import { proofHeader, type WantedProof } from './wanted-proof.ts'

/** Refuses a request until it is proven. */
export class ProofWanted extends ApiError {
  readonly proof: WantedProof

  constructor(message: string, proof: WantedProof) {
    super(403, message)
    this.proof = proof
  }
}

/**
 * The routes that decide something besides `answer`: changes of the policy, changes of the proof itself, which need it
 * whatever its scopes, and other decisions. Opening a page, and the calls of the page, decide nothing by themselves.
 */
export const decidingRoutes: { readonly [Name in RouteName]?: 'policy' | 'proof' | 'other' } = {
  acceptServer: 'policy',
  acceptServers: 'policy',
  acceptFile: 'policy',
  addClient: 'policy',
  addRule: 'policy',
  changeEntry: 'policy',
  changeSettings: 'policy',
  connect: 'policy',
  createClient: 'policy',
  editServer: 'policy',
  forgetTaint: 'policy',
  replaceRule: 'policy',
  savePolicyFile: 'policy',
  trust: 'policy',
  undoRule: 'policy',
  update: 'policy',
  addPasskey: 'proof',
  chooseProof: 'proof',
  registerPasskey: 'proof',
  removePasskey: 'proof',
  removePin: 'proof',
  resetProof: 'proof',
  setPin: 'proof',
  addServer: 'other',
  changeServer: 'other',
  forget: 'other',
  importServers: 'other',
  logout: 'other',
  removeSecret: 'other',
  removeServer: 'other',
  revoke: 'other',
  revokeGrant: 'other',
  setSecret: 'other',
}

/** A request that is to be served. */
export interface ProofRequest {
  readonly name: RouteName
  /** Its route in a sentence. */
  readonly says: string
  readonly input: Fields
  readonly context: Pick<RouteContext, 'isPage' | 'terminal' | 'headers'>
}

/** Refuses a request that needs a proof and has none; true if it was proven. */
export async function requireProof({ host, whenConfigured }: ApiServices, asked: ProofRequest): Promise<boolean> {
  const question = asked.name === 'answer' ? openQuestion(host, asked.input) : undefined
  const decides = asked.name === 'answer' ? 'answer' : decidingRoutes[asked.name]
  if (decides === undefined) return false
  await whenConfigured()
  if (!isNeeded(host, asked, question)) return false
  const { proof } = host
  const now = proof.current
  if (now.state === 'damaged') throw new ApiError(403, damagedProof(now.why).message)
  if (now.state === 'none') throw new ApiError(403, notEnrolled)
  const decision = { route: asked.name, input: asked.input, ...(question && { key: question.key }) }
  const { pageOrigin: origin } = proof
  const { [proofHeader]: signed } = asked.context.headers
  if (typeof signed === 'string' && origin !== undefined) {
    await refusing(proof.checkSigned(assertionIn(signed), decision, origin))
    return true
  }
  const { isPage, terminal } = asked.context
  if (!isPage) {
    const one = now.enrolled.pin && (await terminal?.())
    if (one && proof.hasTicket(one)) return true
    if (now.enrolled.pin) throw new ProofWanted('This needs your PIN: run it in a terminal', { kind: 'pin' })
    throw new ApiError(403, 'This needs your passkey: decide it in the console, which "trunkline open" opens')
  }
  if (now.enrolled.passkeys.length === 0) {
    throw new ApiError(403, 'This needs your PIN: decide it in a terminal, for example with "trunkline inbox"')
  }
  if (origin === undefined) throw new ApiError(403, 'This needs your passkey, and another program has "localhost"')
  throw new ProofWanted(`This needs your passkey, at ${origin}`, {
    kind: 'passkey',
    origin,
    ...proof.challenge(decision),
    decision: wordsOf(asked, question),
  })
}

const notEnrolled =
  'This needs a proof that you are you, and none is enrolled: set a PIN with "trunkline proof set", or add a passkey in the console'

function isNeeded({ proof }: Host, { name, input }: ProofRequest, question: Question | undefined): boolean {
  if (name === 'answer') {
    if (!question) return false
    const isBroad = input.covers !== undefined
    return proof.isNeededFor({ kind: 'answer', question, choice: input.choice as 'once', isBroad }, question.project)
  }
  // a forgotten PIN cannot be given; the reset takes a day instead
  if (name === 'resetProof' && input.isForgotten === true) return false
  const kind = decidingRoutes[name] ?? 'other'
  return kind === 'proof' ? proof.current.state !== 'none' : proof.isNeededFor({ kind }, undefined)
}

function openQuestion({ inbox }: Host, { id }: Fields): Question | undefined {
  return inbox.open.find((one) => one.id === id)
}

const choices: { readonly [choice: string]: string } = {
  once: 'Allow once',
  session: 'Allow for this session',
  project: 'Allow in this project',
  always: 'Always allow',
}

const covered: { readonly [name: string]: string } = {
  'writing-tools': 'all writing tools of this server',
  'all-clients': 'all my clients',
}

function wordsOf({ says, input }: ProofRequest, question: Question | undefined): string {
  if (!question) return says
  const also = Array.isArray(input.covers) ? input.covers.map((name) => `, ${covered[String(name)]}`) : []
  return `${choices[String(input.choice)]}: ${question.server} ${question.target}${also.join('')}${scopeWords(input.rule)}`
}

function scopeWords(rule: unknown): string {
  const { isExact, until } = (rule ?? {}) as { readonly isExact?: boolean; readonly until?: number }
  const exactly = isExact === true ? ', with exactly these arguments' : ''
  return until === undefined ? exactly : `${exactly}, until ${new Date(until).toISOString()}`
}

function assertionIn(header: string): Assertion {
  try {
    const { id, clientData, authenticatorData, signature } = JSON.parse(
      Buffer.from(header, 'base64url').toString('utf8'),
    ) as Assertion
    if ([id, clientData, authenticatorData, signature].every((value) => typeof value === 'string')) {
      return { id, clientData, authenticatorData, signature }
    }
  } catch {
    // said below
  }
  throw new ApiError(400, `The header "${proofHeader}" is not a signature of a passkey`)
}
