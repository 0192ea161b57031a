import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryObserver } from '@tanstack/react-query'
import type { RouteAnswer } from '@trunkline/host/page-api'
import { applyEvents } from './apply-events.ts'
import { queryClient, routeQuery } from './queries.ts'

test('applyEvents: of a server that became ready while the page asked about it, a second answer is shown', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const answers: ((detail: RouteAnswer<'server'>) => void)[] = []
  const queryFn = () => new Promise<RouteAnswer<'server'>>((resolve) => answers.push(resolve))
  const shown = new QueryObserver(queryClient, { ...routeQuery('server', { server: 'one' }), queryFn })
  const stop = shown.subscribe(() => {})
  applyEvents([{ event: 'server', name: 'one', state: 'ready', why: 'ready' }])
  context.mock.timers.tick(250)
  await turn()
  assert.equal(answers.length, 1, 'the first answer is not given up')
  answers[0]?.({ unusable: [], differences: [] })
  while (answers.length < 2) await turn()
  answers[1]?.({ name: 'upstream', unusable: [], differences: [] })
  while (shown.getCurrentResult().data?.name !== 'upstream') await turn()
  stop()
  queryClient.clear()
})
