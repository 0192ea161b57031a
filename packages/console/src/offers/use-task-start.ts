import { useMutation } from '@tanstack/react-query'
import { callHost } from '../host/call.ts'
import { queryClient, routeQuery } from '../host/queries.ts'
import { addPastRun, type RunAnswer } from './run-history.ts'
import { addTaskRun } from './task-runs.ts'

/** Starts a tool as a task; what was answered at once is a run like any other. */
export function useTaskStart(
  server: string,
  tool: string,
  onAnswer: (answer: RunAnswer, input: Record<string, unknown>) => void,
) {
  return useMutation({
    mutationFn: async (input: Record<string, unknown>) => {
      const run = crypto.randomUUID()
      const state = await callHost('startTask', { server, tool, run, arguments: input })
      const { task, result, error } = state
      if (task === undefined) {
        const answer = { ...(result && { result }), ...(error && { error }), ms: 0, trace: '' }
        addPastRun({ id: run, of: `tool ${server} ${tool}`, at: Date.now(), input, answer })
        return onAnswer(answer, input)
      }
      queryClient.setQueryData(routeQuery('task', { server, task }).queryKey, state)
      addTaskRun({ run, server, tool, task, at: Date.now(), input })
    },
  })
}
