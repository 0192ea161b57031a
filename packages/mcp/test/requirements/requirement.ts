/** Every revision, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const
export type Revision = (typeof revisions)[number]

export type Transport = 'memory' | 'stdio' | 'http' | 'http-session' | 'http-sse' | 'websocket'

/** The revisions that travel over a transport. */
const carried: { readonly [name in Transport]: readonly Revision[] } = {
  memory: revisions,
  stdio: revisions,
  http: ['2026-07-28'],
  'http-session': ['2025-03-26', '2025-06-18', '2025-11-25'],
  'http-sse': ['2024-11-05'],
  websocket: revisions,
}

/** One thing the protocol asks for. */
export interface Requirement {
  /** The requirement, in one sentence. */
  readonly says: string
  /** Its rules in PROTOCOL.md: `P…` and `L…` are its numbered rules, `1.7` is a section. */
  readonly rules: readonly string[]
  /** @default the oldest */
  readonly first?: Revision
  /** @default the newest */
  readonly last?: Revision
  /** The transports that can express it. @default all */
  readonly transports?: readonly Transport[]
  /** Those among them that cannot, and why not. @default none */
  readonly except?: { readonly [name in Transport]?: string }
}

/** A topic of the manifest, by requirement. */
export type Requirements = { readonly [id: string]: Requirement }

/** The revisions in which a requirement holds. */
export function revisionsOf({ first = revisions[0], last = '2026-07-28' }: Requirement): readonly Revision[] {
  return revisions.slice(revisions.indexOf(first), revisions.indexOf(last) + 1)
}

/** True if a requirement that holds in a revision can be expressed there over a transport. */
export function isExpressible(requirement: Requirement, revision: Revision, transport: Transport): boolean {
  const { transports, except = {} } = requirement
  if (!carried[transport].includes(revision) || transport in except) return false
  return transports?.includes(transport) ?? true
}
