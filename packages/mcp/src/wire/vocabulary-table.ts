import { vocabulary20241105 } from './vocabularies/2024-11-05.ts'
import { vocabulary20250326 } from './vocabularies/2025-03-26.ts'
import { vocabulary20250618 } from './vocabularies/2025-06-18.ts'
import { vocabulary20251125 } from './vocabularies/2025-11-25.ts'
import { vocabulary20260728 } from './vocabularies/2026-07-28.ts'
import type { Vocabulary } from './vocabulary.ts'

const oldestFirst = [vocabulary20241105, vocabulary20250326, vocabulary20250618, vocabulary20251125, vocabulary20260728]

/** The vocabulary of every revision by its date, oldest first. */
export const vocabularies: ReadonlyMap<string, Vocabulary> = new Map(oldestFirst.map((each) => [each.revision, each]))
