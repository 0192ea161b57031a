import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callHost } from '../../host/call.ts'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'

/** Signs in to a server that runs elsewhere; where a page has to be visited, its question shows which. */
export function SignInButton({ server }: { readonly server: string }) {
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
