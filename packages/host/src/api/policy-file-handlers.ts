import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isTable, type Value } from '../config/document/document.ts'
import { readJson } from '../config/document/json.ts'
import { describeProblem } from '../config/problem.ts'
import { ApiError } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { refuseWide } from './policy-change-handlers.ts'
import { recordChange } from './record-change.ts'

/** The person's own file, as far as it holds the policy: to read, and to write as they typed it. */
export function policyFileHandlers(parts: ApiParts): Pick<Handlers, 'policyFile' | 'savePolicyFile'> {
  return {
    async policyFile() {
      const { file, text } = await parts.ownFile.read()
      return { file, text, digest: digestOf(text) }
    },
    async savePolicyFile({ text, digest }, context) {
      const { problems } = await parts.trialPolicy({ text }, undefined)
      const { file } = await parts.ownFile.read()
      const [problem] = problems.filter((one) => one.file === file)
      if (problem) throw new ApiError(400, `Cannot save: ${describeProblem(problem)}`)
      await parts.ownFile.write((before) => {
        if (digestOf(before) !== digest) {
          throw new ApiError(409, `"${file}" was changed meanwhile; look at it again before you save`)
        }
        refuseMore(parts, valueIn(file, before), valueIn(file, text))
        return text
      })
      await recordChange(parts, context, { outcome: 'policy saved', why: file })
      return { file, digest: digestOf(text) }
    },
  }
}

/** A page decides about the policy here; servers and all else have their own ways, with their own questions. */
function refuseMore(parts: ApiParts, before: Value, after: Value): void {
  if (!isDeepStrictEqual(withoutPolicy(before), withoutPolicy(after))) {
    throw new ApiError(400, 'Cannot save: only "policy" can be changed here; change the rest of the file in an editor')
  }
  const known = new Set(allowedIn(before))
  for (const rule of allowedIn(after)) if (!known.has(rule)) refuseWide(parts, 'allow', rule)
}

function withoutPolicy(value: Value): unknown {
  if (!isTable(value)) return value
  const { policy: _, ...rest } = value
  return rest
}

function allowedIn(value: Value): readonly string[] {
  const policy = isTable(value) ? value.policy : undefined
  const allow = isTable(policy) ? policy.allow : undefined
  return Array.isArray(allow) ? allow.filter((rule) => typeof rule === 'string') : []
}

function valueIn(file: string, text: string): Value {
  return text.trim() === '' ? {} : readJson(file, text).value
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
