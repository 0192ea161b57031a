import type { View } from '@trunkline/mcp/apps'
import { Button } from '../parts/button.tsx'
import { Said } from '../text/said.tsx'
import styles from './apps.module.css'

const kinds = [
  ['connectDomains', 'send to and fetch from'],
  ['resourceDomains', 'load scripts, styles, pictures and fonts from'],
  ['frameDomains', 'show pages of'],
  ['baseUriDomains', 'resolve its addresses against'],
] as const

export interface AppWishesProps {
  readonly view: View
  readonly server: string
  /** Starts the app with what it is allowed of its wishes. */
  onStart(view: View): void
  onClose(): void
}

/** Permissions that an app declares, before it runs; it gets none of them without the person's consent. */
export function AppWishes({ view, server, onStart, onClose }: AppWishesProps) {
  const wished = kinds.filter(([kind]) => (view.csp[kind]?.length ?? 0) > 0)
  const permissions = Object.keys(view.permissions)
  return (
    <div className={styles.wishes}>
      {wished.length > 0 && <p>The app of {server} wants to reach other hosts:</p>}
      <ul className={styles.list}>
        {wished.map(([kind, words]) => (
          <li key={kind}>
            {words}{' '}
            {view.csp[kind]?.map((origin) => (
              <code key={origin} className={styles.origin}>
                <Said text={origin} oneLine />
              </code>
            ))}
          </li>
        ))}
        {permissions.length > 0 && <li>use of this browser: {permissions.join(', ')}. It does not get that here.</li>}
        {view.ignored.map((words) => (
          <li key={words}>
            not granted: <Said text={words} />
          </li>
        ))}
      </ul>
      <div className={styles.start}>
        <Button tone="primary" onClick={() => onStart({ ...view, csp: {} })}>
          {wished.length > 0 ? `Start the app of ${server} without other hosts` : `Start the app of ${server}`}
        </Button>
        {wished.length > 0 && <Button onClick={() => onStart(view)}>Start it and let it reach these hosts</Button>}
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </div>
  )
}
