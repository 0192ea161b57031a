/** The revision whose requests stand on their own. */
export const stateless = '2026-07-28'

/** The revisions that open a conversation with a handshake. */
export const handshakes = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** Every revision, newest first. */
export const all = [stateless, ...handshakes] as const
