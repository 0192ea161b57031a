import { Link } from '@tanstack/react-router'
import type { HostStatus } from '../../host/queries.ts'
import { Panel } from '../../parts/panel.tsx'
import { Said } from '../../text/said.tsx'

/** Servers found in other clients on this machine, while none is configured here. */
export function FoundElsewhere({ found }: { readonly found: HostStatus['found'] }) {
  if (found.length === 0) return null
  return (
    <Panel title="Your editors have servers">
      <p>
        <Link to="/servers/add">Look at them and take them over</Link>, or do it in the terminal with{' '}
        <code>trunkline init</code>.
      </p>
      <ul>
        {found.map(({ name, client, file }) => (
          <li key={`${client} ${name}`}>
            <Said text={name} /> of {client} (<Said text={file} />)
          </li>
        ))}
      </ul>
    </Panel>
  )
}
