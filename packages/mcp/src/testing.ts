/** Helpers for testing servers. */
export { everyRevision, join, type Pair, revisions } from './testing/revisions.ts'
export { type Script, type Scripted, script } from './testing/script.ts'
export { Transcript, type TranscriptLine } from './testing/transcript.ts'
export { memoryPair } from './transports/memory.ts'
