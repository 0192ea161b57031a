import { z } from 'zod'
import type { Route } from './route.ts'
import * as s from './schemas.ts'

/** Routes of the ledger. */
export const ledgerRoutes = {
  ledger: {
    method: 'GET',
    path: '/api/ledger',
    needs: 'nothing',
    says: 'What was done, newest first',
    query: s.ledgerFilter,
    answer: z.object({ items: z.array(s.ledgerLine) }),
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
