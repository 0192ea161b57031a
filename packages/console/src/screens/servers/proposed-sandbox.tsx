import { useQuery } from '@tanstack/react-query'
import { routeQuery } from '../../host/queries.ts'
import { Notice } from '../../parts/notice.tsx'
import { Said } from '../../text/said.tsx'

/** A sandbox that would leave a server what its tools say they touch, where it runs without one. */
export function ProposedSandbox({ server }: { readonly server: string }) {
  const { data } = useQuery({ ...routeQuery('server', { server }), staleTime: 0 })
  if (data?.proposes === undefined) return null
  return (
    <Notice tone="warn">
      It runs with your rights. <Said text={data.proposes} />.
    </Notice>
  )
}
