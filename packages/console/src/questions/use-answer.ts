import { useMutation } from '@tanstack/react-query'
import type { RouteInput } from '@trunkline/host/page-api'
import { callHost } from '../host/call.ts'

/** Decision of a person. */
export type Decision = Omit<RouteInput<'answer'>, 'id' | 'door'>

/** Answers a question; whether it counted comes back as an event, as for every other door. */
export function useAnswer(id: string) {
  return useMutation({ mutationFn: (decision: Decision) => callHost('answer', { id, door: 'console', ...decision }) })
}
