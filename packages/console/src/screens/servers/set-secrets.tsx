import { useQuery } from '@tanstack/react-query'
import { routeQuery } from '../../host/queries.ts'
import { SetSecret } from '../../parts/set-secret.tsx'
import styles from './servers.module.css'

/** The secrets that a server refers to, each with a field for its value. */
export function SetSecrets({ name, onDone }: { readonly name: string; onDone(): void }) {
  const { data } = useQuery({ ...routeQuery('secrets'), staleTime: 0 })
  const own = data?.items.filter(({ uses }) => uses.includes(name)) ?? []
  if (data && own.length === 0) {
    return (
      <p className={styles.unused}>
        Its entry refers to no secret. Write <code>secret:NAME</code> where one is needed, or a key itself: it is stored
        apart, and its name is written instead.
      </p>
    )
  }
  return own.map((secret) => <SetSecret key={secret.name} {...secret} onDone={onDone} />)
}
