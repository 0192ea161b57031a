import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callHost } from '../../host/call.ts'
import type { ServerSummary } from '../../host/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'

/** Starts, restarts and stops a server. */
export function ServerActions({ server }: { readonly server: ServerSummary }) {
  const { name, state, isAccepted, isRemote } = server
  const act = useMutation({ mutationFn: (what: 'restart' | 'stop') => callHost(what, { server: name }) })
  const isRunning = state === 'ready' || state === 'starting'
  return (
    <>
      {state === 'needs you' && isAccepted && isRemote && <SignInButton server={name} />}
      <Button disabled={!isAccepted || act.isPending} onClick={() => act.mutate('restart')}>
        {isRunning ? 'Restart' : 'Start'}
      </Button>
      <Button disabled={state === 'stopped' || act.isPending || !isAccepted} onClick={() => act.mutate('stop')}>
        Stop
      </Button>
      <Failure error={act.error} />
    </>
  )
}

/** Signs in to a server that runs elsewhere; where a page has to be visited, its question shows which. */
function SignInButton({ server }: { readonly server: string }) {
  const navigate = useNavigate()
  const signIn = useMutation({
    mutationFn: () => callHost('login', { server }),
    onSuccess: ({ question }) => question !== undefined && navigate({ to: '/inbox/$id', params: { id: question } }),
  })
  return (
    <>
      <Button tone="primary" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in
      </Button>
      <Failure error={signIn.error} />
    </>
  )
}
