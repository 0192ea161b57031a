import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Host } from '../assembly/host.ts'
import { isTable, type Value } from '../config/document/document.ts'
import { readJson } from '../config/document/json.ts'
import { OwnFile } from '../config/own-file.ts'
import { describeProblem } from '../config/problem.ts'
import { ApiError } from './api-error.ts'
import { refuseWide } from './policy-change-routes.ts'
import { trialPolicy } from './project-policy.ts'
import { recordChange } from './record-change.ts'
import { route } from './route.ts'
import type { ApiServices } from './services.ts'

/** Routes of the person's own file, as far as it holds the policy: to read, and to write as they typed it. */
export const policyFileRoutes = {
  policyFile: route({
    method: 'GET',
    path: '/api/policy/file',
    needs: 'nothing',
    says: 'The own file of the person, as it is written',
    answer: z.object({ file: z.string(), text: z.string(), digest: z.string() }),
    async handle(_input, services) {
      const { file, text } = await ownFile(services).read()
      return { file, text, digest: digestOf(text) }
    },
  }),
  savePolicyFile: route({
    method: 'POST',
    path: '/api/policy/file',
    needs: 'person',
    says: 'Writes another policy to the own file of the person; the digest is of the text that was changed',
    body: z.strictObject({ text: z.string(), digest: z.string() }),
    answer: z.object({ file: z.string(), digest: z.string() }),
    async handle({ text, digest }, services, context) {
      const { problems } = await trialPolicy(services, { text }, undefined)
      const own = ownFile(services)
      const { file } = await own.read()
      const [problem] = problems.filter((one) => one.file === file)
      if (problem) throw new ApiError(400, `Cannot save: ${describeProblem(problem)}`)
      await own.write((before) => {
        if (digestOf(before) !== digest) {
          throw new ApiError(409, `"${file}" was changed meanwhile; look at it again before you save`)
        }
        refuseMore(services.host, valueIn(file, before), valueIn(file, text))
        return text
      })
      await recordChange(services.host, context, { outcome: 'policy saved', why: file })
      return { file, digest: digestOf(text) }
    },
  }),
}

function ownFile({ places, applyFiles }: ApiServices): OwnFile {
  return new OwnFile(places.userFile, (file) => applyFiles(file))
}

/** A page decides about the policy here; servers and all else have their own ways, with their own questions. */
function refuseMore(host: Host, before: Value, after: Value): void {
  if (!isDeepStrictEqual(withoutPolicy(before), withoutPolicy(after))) {
    throw new ApiError(400, 'Cannot save: only "policy" can be changed here; change the rest of the file in an editor')
  }
  const known = new Set(allowedIn(before))
  for (const rule of allowedIn(after)) if (!known.has(rule)) refuseWide(host, 'allow', rule)
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
