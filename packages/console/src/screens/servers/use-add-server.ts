import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RouteInput } from '@trunkline/host/page-api'
import { callHost } from '../../host/call.ts'
import { queryClient, serversQuery } from '../../host/queries.ts'

/** Writes a server into the configuration, and goes to it. */
export function useAddServer() {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (server: RouteInput<'addServer'>) => callHost('addServer', server),
    onSuccess: async (_done, { name }) => {
      await queryClient.invalidateQueries({ queryKey: serversQuery.queryKey })
      await navigate({ to: '/servers/$name', params: { name } })
    },
  })
}
