import { z } from 'zod'
import type { Route } from './route.ts'
import * as s from './schemas.ts'

const taskState = z.object({
  task: z.string().optional().describe('Its id; missing where the call was answered at once'),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  message: z.string().optional().describe('What its author says of how it stands'),
  createdAt: z.number(),
  updatedAt: z.number(),
  keptForMs: z.number().nullable().describe('From its creation on; null is for ever'),
  result: z.record(z.string(), z.unknown()).optional(),
  error: s.run.shape.error,
})

/** The addresses of tools that go on after their call was answered. */
export const taskRoutes = {
  startTask: {
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/start',
    needs: 'person',
    says: 'Starts a tool as a task for the person at the page; it goes on when the page is closed',
    body: z.strictObject({ run: z.string().max(100), arguments: z.record(z.string(), z.unknown()) }),
    answer: taskState,
  },
  task: {
    method: 'GET',
    path: '/api/servers/{server}/tasks/{task}',
    needs: 'nothing',
    says: 'How a task of a page stands, with its result once it has one; events tell its changes from then on',
    answer: taskState,
  },
  cancelTask: {
    method: 'POST',
    path: '/api/servers/{server}/tasks/{task}/cancel',
    needs: 'nothing',
    says: 'Asks for a task of a page to be cancelled',
    answer: taskState,
  },
  watchResource: {
    method: 'POST',
    path: '/api/servers/{server}/resources/watch',
    needs: 'nothing',
    says: 'Has events tell when a resource changes, for a minute; who still looks at it asks again',
    body: z.strictObject({ uri: z.string() }),
    answer: z.object({ until: z.number() }),
  },
} as const satisfies { readonly [name: string]: Route }
