/** One way to hold a conversation: the revision spoken, and whether the server keeps a session. */
export interface Shape {
  readonly label: string
  readonly revision: '2026-07-28' | '2025-11-25' | '2025-06-18'
  readonly handshake: boolean
  readonly session: boolean
}

/** Every request stands alone. */
export const stateless: Shape = { label: '2026-07-28', revision: '2026-07-28', handshake: false, session: false }

/** A handshake, then a session id on every request. */
export const session2511: Shape = {
  label: '2025-11-25 session',
  revision: '2025-11-25',
  handshake: true,
  session: true,
}

/** A handshake, then a session id on every request, one revision earlier. */
export const session2506: Shape = {
  label: '2025-06-18 session',
  revision: '2025-06-18',
  handshake: true,
  session: true,
}

/** The wire of a handshake revision on servers that skip sessions over HTTP. */
export const sessionless: Shape = {
  label: '2025-06-18 no session',
  revision: '2025-06-18',
  handshake: true,
  session: false,
}

/** Every shape that is measured, newest first. */
export const shapes: readonly Shape[] = [stateless, session2511, session2506, sessionless]
