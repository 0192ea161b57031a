import { z } from 'zod'
import { readJson } from '../config/document/json.ts'
import type { KeptSecret } from '../config/secrets/keep-apart.ts'
import { maskedTexts } from '../config/secrets/mask.ts'
import type { FileChange } from '../config/undo.ts'
import { hashOf } from '../text/json-hash.ts'

/** A change of a configuration file, as a person sees it before it is written. */
export const plannedChange = z.object({
  file: z.string().describe('The file that changes'),
  before: z.string().describe('Its text, with stars for secrets'),
  after: z.string(),
  says: z.array(z.string()).describe('What follows from it, one sentence each'),
  secrets: z.array(z.string()).describe('Secrets that are kept apart, by the names they get'),
  digest: z.string().describe('What a person agrees to'),
})

/** Parts of a planned change. */
export interface ChangeParts {
  readonly file: FileChange
  readonly says: readonly string[]
  /** Secrets to keep before the file is written. */
  readonly secrets: readonly KeptSecret[]
}

/** A planned change without the secrets in it, and with the digest of all of it. */
export function shownChange({ file: { file, before = '', after }, says, secrets }: ChangeParts) {
  const texts = [before, after]
  const [masked = '', maskedAfter = ''] = maskedTexts(
    texts,
    texts.map((text) => readJson(file, text).value),
  )
  return {
    ...{ file, before: masked, after: maskedAfter, says: [...says] },
    secrets: secrets.map(({ name }) => name),
    digest: hashOf([file, before, after, secrets]),
  } satisfies z.output<typeof plannedChange>
}
