import { describeExplanation } from '../config/layers/explain.ts'
import { refuseClientName } from '../gateway/principals/principals.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { PageLogins } from './page-logins.ts'
import type { ApiParts } from './parts.ts'
import { recordChange } from './record-change.ts'
import { whyNoPerson } from './require-person.ts'

/** The host itself, its configuration and its clients. */
export function hostHandlers(
  parts: ApiParts,
  pages: PageLogins,
): Pick<
  Handlers,
  | 'status'
  | 'mayDecide'
  | 'explainConfig'
  | 'acceptFile'
  | 'clients'
  | 'addClient'
  | 'revoke'
  | 'code'
  | 'openConsole'
  | 'session'
  | 'down'
> {
  const startedAt = Date.now()
  const pageOrigin = (): string => parts.proof.pageOrigin ?? new URL(parts.mcpUrl()).origin
  const { principals, inbox, version } = parts
  return {
    status: () => {
      const { problems, waiting, found } = parts.configured()
      return {
        version,
        pid: process.pid,
        startedAt,
        mcp: parts.mcpUrl(),
        mode: parts.policy().mode,
        questions: inbox.open.length,
        problems: [...problems],
        waiting: waiting.map(({ file, hash, settings }) => ({
          file,
          hash,
          settings: settings.map(({ path, value, line }) => ({ path: [...path], value, line })),
        })),
        found: [...found],
        leftovers: [...parts.leftovers()],
      }
    },
    async mayDecide(_input, context) {
      const refusal = await whyNoPerson(context)
      return refusal === undefined ? {} : { refusal }
    },
    async explainConfig({ key }, { directory }) {
      const explained = await parts.explainConfig(key, directory)
      return {
        items: explained.map((one) => ({
          key: one.key,
          value: one.value,
          isUsual: one.isUsual,
          lines: describeExplanation(one),
        })),
      }
    },
    async acceptFile({ file, hash }) {
      const permits = parts.configured().waiting.find((one) => one.file === file)
      if (!permits) throw new ApiError(404, `"${file}" does not wait to be accepted`)
      if (permits.hash !== hash) throw new ApiError(409, `"${file}" changed meanwhile; look at it again`)
      await parts.acceptFile(permits)
      return done
    },
    clients: () => ({
      items: principals.all().map(({ id, name, isApprover, madeAt, usedAt }) => ({
        name,
        programs: parts.clientPrograms.of(id).map(({ path }) => path),
        isApprover,
        madeAt,
        ...(usedAt !== undefined && { usedAt }),
      })),
      revoked: [...principals.revoked()],
    }),
    async addClient({ name, isApprover = false }, context) {
      refuseClientName(name)
      await recordChange(parts, context, { principal: name, outcome: isApprover ? 'may approve' : 'added' })
      const { token } = await principals.make({ name, isApprover })
      return { token }
    },
    async revoke({ name }, context) {
      if (!(await principals.revoke(name))) throw new ApiError(404, `There is no client "${name}"`)
      await recordChange(parts, context, { principal: name, outcome: 'revoked' })
      return done
    },
    // at the name for which browsers take passkeys, where it is the host's alone
    code: () => ({ ...pages.makeCode(), page: pageOrigin() }),
    openConsole: async () => ({
      isOpen: await parts.openPage(new URL(`/#code=${pages.makeCode().code}`, pageOrigin()).href),
    }),
    async session({ code }) {
      const secret = await pages.trade(code)
      if (secret === undefined) {
        throw new ApiError(403, 'The code was used, or is too old; "trunkline open" makes another')
      }
      return { secret }
    },
    down: () => {
      parts.down()
      return done
    },
  }
}
