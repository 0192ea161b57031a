import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { routeQuery } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import styles from '../../parts/list-beside.module.css'
import { itemProps, ListBeside } from '../../parts/list-beside.tsx'
import { Screen } from '../../shell/screen.tsx'
import { ClientDetail } from './client-detail.tsx'
import { OtherClients } from './other-clients.tsx'

const known = routeQuery('knownClients')

/** Connect screen: instructions for using the host from a client. */
export function ConnectScreen() {
  const { client } = useParams({ strict: false })
  const { data, error } = useQuery({ ...known, staleTime: 0 })
  const chosen = data?.items.find(({ id }) => id === client)
  return (
    <Screen title="Connect" about="Your editors reach all servers through this host, each with a name of its own.">
      <Failure error={error} />
      <ListBeside
        list={
          <ul className={styles.list} aria-label="Clients">
            {data?.items.map(({ id, title, isConnected }) => (
              <li key={id}>
                <Link to="/connect/$client" params={{ client: id }} {...itemProps(id === client)}>
                  <span className={styles.ends}>
                    {title} {isConnected && <Badge tone="good">connected</Badge>}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        }
        isOpen={client !== undefined}
        back={{ to: '/connect', title: 'All clients' }}
      >
        {chosen ? (
          <ClientDetail key={chosen.id} client={chosen} />
        ) : (
          <Empty title="Choose a client">You see what changes in its file before anything is written.</Empty>
        )}
        <OtherClients />
      </ListBeside>
    </Screen>
  )
}
