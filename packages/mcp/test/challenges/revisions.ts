/** A revision without a handshake, the last one with it, and the first of all. */
export const revisions = ['2026-07-28', '2025-11-25', '2024-11-05'] as const
