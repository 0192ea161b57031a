import { z } from 'zod'
import type { Route } from './route.ts'
import * as s from './schemas.ts'

const savedRequests = z.object({
  items: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()), at: z.number() })),
})

/** Routes of the ledger, and of what is done with recorded calls. */
export const ledgerRoutes = {
  ledger: {
    method: 'GET',
    path: '/api/ledger',
    needs: 'nothing',
    says: 'What was done, newest first',
    query: s.ledgerFilter,
    answer: z.object({
      items: z.array(s.ledgerLine),
      older: z.number().optional().describe('Where to go on, as "before"; missing when all was searched'),
      isIndexed: z.boolean().describe('False if the newest lines cannot be searched yet'),
    }),
  },
  acts: {
    method: 'GET',
    path: '/api/acts',
    needs: 'nothing',
    says: 'Acts that match, each with all of its lines, oldest first; lines without an act are among them',
    query: s.ledgerFilter,
    answer: z.object({
      items: z.array(s.ledgerLine),
      older: z.number().optional().describe('Where to go on, as "before"; missing when all was searched'),
      isIndexed: z.boolean().describe('False if the newest lines cannot be searched yet'),
    }),
  },
  callStatistics: {
    method: 'GET',
    path: '/api/calls/statistics',
    needs: 'nothing',
    says: 'Calls, failures and durations without waits for a person, in 60 steps of a range of time',
    query: z.strictObject({
      since: z.coerce.number(),
      until: z.coerce.number(),
      server: z.string().optional(),
      principal: z.string().optional(),
    }),
    answer: z.object({
      stepMs: z.number(),
      at: z.array(z.number()),
      calls: z.array(z.number()),
      failed: z.array(z.number()),
      p50: z.array(z.number().nullable()),
      p95: z.array(z.number().nullable()),
      all: z.object({
        calls: z.number(),
        failed: z.number(),
        p50: z.number().nullable(),
        p95: z.number().nullable(),
      }),
      isWhole: z.boolean().describe('False if there were more lines than are counted at once'),
    }),
  },
  settledQuestions: {
    method: 'GET',
    path: '/api/settled-questions',
    needs: 'nothing',
    says: 'Questions that wait no more, newest first, with what they were about and how they ended',
    query: z.strictObject({
      act: z.string().optional(),
      since: z.coerce.number().optional(),
      until: z.coerce.number().optional(),
      most: z.coerce.number().int().min(1).max(200).optional(),
    }),
    answer: z.object({
      items: z.array(
        z.object({
          question: s.question,
          at: z.number(),
          outcome: z.string().describe('The choice of the person, or "expired" or "withdrawn"'),
          by: z.string().optional(),
          why: z.string().optional(),
          content: z.record(z.string(), z.unknown()).optional().describe('What the person wrote or changed'),
        }),
      ),
    }),
  },
  savedRequests: {
    method: 'GET',
    path: '/api/servers/{server}/tools/{tool}/requests',
    needs: 'nothing',
    says: 'Arguments for a tool that were saved under names',
    answer: savedRequests,
  },
  saveRequest: {
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/requests',
    needs: 'person',
    says: 'Saves arguments for a tool under a name; what looks like a secret is masked',
    body: z.strictObject({ name: z.string().trim().min(1).max(100), arguments: z.record(z.string(), z.unknown()) }),
    answer: savedRequests,
  },
  removeRequest: {
    method: 'DELETE',
    path: '/api/servers/{server}/tools/{tool}/requests/{name}',
    needs: 'person',
    says: 'Removes saved arguments',
    answer: z.object({ done: z.literal(true) }),
  },
  verify: {
    method: 'GET',
    path: '/api/ledger/verify',
    needs: 'nothing',
    says: 'Whether the ledger is whole, and as it was signed',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    answer: z.object({
      lines: z.number(),
      broken: z.string().optional(),
      signedUpTo: z.number().describe('The last line that a signature covers'),
      unsignedUpTo: z.number().describe('Lines up to this one were written before the key was made'),
      publicKey: z.string(),
    }),
  },
  ledgerTip: {
    method: 'GET',
    path: '/api/ledger/tip',
    needs: 'nothing',
    says: 'The end of the ledger with a signature over it',
    answer: s.signedTip,
  },
  exportLedger: {
    method: 'GET',
    path: '/api/ledger/export',
    needs: 'nothing',
    says: 'Lines as they were written, oldest first, from one number on; each is a line of JSON with its hash. The tip comes with the last ones',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    answer: z.object({ lines: z.array(z.string()), after: z.number(), tip: s.signedTip.optional() }),
  },
  act: {
    method: 'GET',
    path: '/api/acts/{act}',
    needs: 'nothing',
    says: 'All that is known of one act, with arguments and result as far as they were kept',
    answer: z.object({ lines: z.array(s.ledgerLine), payloads: z.record(z.string(), z.unknown()) }),
  },
  forget: {
    method: 'POST',
    path: '/api/forget',
    needs: 'person',
    says: 'Deletes recorded arguments and results; the ledger stays whole',
    body: z.strictObject({ server: z.string().optional() }),
    answer: z.object({ removed: z.number() }),
  },
} as const satisfies { readonly [name: string]: Route }
