import { z } from 'zod'
import type { Host } from '../assembly/host.ts'
import { version } from '../assembly/host-gateway.ts'
import { describeExplanation } from '../config/layers/explain.ts'
import { openPage } from '../inbox/notify/open-page.ts'
import { ApiError } from './api-error.ts'
import { whyNoPerson } from './require-person.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'

/** Routes of the host itself, its configuration and its pages. */
export const hostRoutes = {
  status: route({
    method: 'GET',
    path: '/api/status',
    needs: 'nothing',
    says: 'How the host is doing',
    answer: s.hostStatus,
    handle: (_input, { host, machine, configured, startedAt }) => {
      const { problems, waiting, found } = configured()
      return {
        version,
        pid: process.pid,
        startedAt,
        mcp: host.url,
        home: machine.home,
        mode: host.policy.mode,
        questions: host.inbox.open.length,
        problems: [...problems],
        waiting: waiting.map(({ file, hash, settings }) => ({
          file,
          hash,
          settings: settings.map(({ path, value, line }) => ({ path: [...path], value, line })),
        })),
        found: [...found],
        leftovers: [...host.leftovers],
      }
    },
  }),
  explainConfig: route({
    method: 'GET',
    path: '/api/config/explain',
    needs: 'nothing',
    says: 'Where the value of a setting came from and what it hid',
    query: z.strictObject({ key: z.string() }),
    answer: s.list(s.keyExplanation),
    async handle({ key }, { config, rootOf }, { directory }) {
      const explained = (await config.effective(await rootOf(directory))).explain(key)
      return {
        items: explained.map((one) => ({
          key: one.key,
          value: one.value,
          isUsual: one.isUsual,
          lines: describeExplanation(one),
        })),
      }
    },
  }),
  acceptFile: route({
    method: 'POST',
    path: '/api/config/accept',
    needs: 'person',
    says: 'Accepts what a project file permits, exactly as a person saw it',
    body: z.strictObject({ file: z.string(), hash: z.string() }),
    answer: s.confirmation,
    async handle({ file, hash }, { config, configured, acceptances }) {
      const permits = configured().waiting.find((one) => one.file === file)
      if (!permits) throw new ApiError(404, `"${file}" does not wait to be accepted`)
      if (permits.hash !== hash) throw new ApiError(409, `"${file}" changed meanwhile; look at it again`)
      await acceptances.accept(permits, Date.now())
      config.refresh()
      return done
    },
  }),
  mayDecide: route({
    method: 'GET',
    path: '/api/may-decide',
    needs: 'nothing',
    says: 'Whether what asks may decide for the person, and why not',
    answer: z.object({ refusal: z.string().optional() }),
    async handle(_input, _services, context) {
      const refusal = await whyNoPerson(context)
      return refusal === undefined ? {} : { refusal }
    },
  }),
  code: route({
    method: 'POST',
    path: '/api/codes',
    needs: 'terminal',
    says: 'Makes a code that opens the console once, within a minute',
    answer: z.object({ code: z.string(), expiresAt: z.number(), page: z.string().describe('Where the console is') }),
    handle: (_input, { host, pages }) => ({ ...pages.makeCode(), page: pageOrigin(host) }),
  }),
  vouchForPage: route({
    method: 'POST',
    path: '/api/codes/vouch',
    needs: 'person',
    says: 'Makes a code by which an open page signs in a new one of the same browser, once, within ten seconds',
    answer: z.object({ code: z.string(), expiresAt: z.number() }),
    handle: (_input, { pages }, { isPage }) => {
      if (!isPage) throw new ApiError(403, 'Only a page that is signed in vouches for another')
      return pages.makeHandedCode()
    },
  }),
  openConsole: route({
    method: 'POST',
    path: '/api/console/open',
    needs: 'person',
    says: 'Opens the console in the browser that the host knows; the code is told to nothing else',
    answer: z.object({ isOpen: z.boolean() }),
    handle: async (_input, { host, machine, pages }) => ({
      isOpen: await openPage(new URL(`/#code=${pages.makeCode().code}`, pageOrigin(host)).href, {
        ...machine.environment,
      }),
    }),
  }),
  session: route({
    method: 'POST',
    path: '/api/session',
    needs: 'nothing',
    says: 'Trades a code for the secret of a page; needs no token',
    body: z.strictObject({ code: z.string() }),
    answer: z.object({ secret: z.string() }),
    async handle({ code }, { pages }) {
      const secret = await pages.trade(code)
      if (secret === undefined) {
        throw new ApiError(403, 'The code was used, or is too old; "trunkline open" makes another')
      }
      return { secret }
    },
  }),
  down: route({
    method: 'POST',
    path: '/api/down',
    needs: 'nothing',
    says: 'Ends the host',
    answer: s.confirmation,
    handle: (_input, { down }) => {
      down()
      return done
    },
  }),
}

/** The origin of the console, at the name for which browsers take passkeys where it is the host's alone. */
function pageOrigin({ proof, url }: Host): string {
  return proof.pageOrigin ?? new URL(url).origin
}
