import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { inboxQuery, serversQuery } from '../host/queries.ts'
import { useStore } from '../host/store.ts'
import { needsAttention } from '../parts/server-health.ts'
import { plural } from '../text/plural.ts'
import { Brand } from './brand.tsx'
import { Icon } from './icon.tsx'
import styles from './navigation.module.css'
import { openPalette } from './palette-open.ts'
import { screens } from './screens.ts'
import { nextTheme, theme } from './theme.ts'

/** Links to the screens, with counts of what needs attention. */
export function Navigation() {
  const waiting = useQuery(inboxQuery).data?.items.length ?? 0
  const servers = useQuery(serversQuery).data?.items ?? []
  const unwell = servers.filter(needsAttention).length
  const counts: { readonly [to: string]: readonly [number, string] } = {
    '/inbox': [waiting, plural(waiting, 'question waits', 'questions wait')],
    '/servers': [unwell, plural(unwell, 'server needs attention', 'servers need attention')],
  }
  return (
    <header className={styles.rail}>
      <Brand />
      <button type="button" className={styles.find} onClick={openPalette}>
        Find anything <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Screens" className={styles.screens}>
        {screens.map(({ to, title }) => {
          const [count, words] = counts[to] ?? [0, '']
          return (
            <Link key={to} to={to} className={styles.screen} activeProps={{ className: styles.current ?? '' }}>
              <Icon of={to} />
              <span className={styles.title}>{title}</span>
              {count > 0 && (
                <span className={to === '/inbox' ? styles.waiting : styles.count}>
                  <span aria-hidden="true">{count}</span>
                  <span className="visually-hidden">, {words}</span>
                </span>
              )}
            </Link>
          )
        })}
      </nav>
      <p role="status" className="visually-hidden">
        {waiting > 0 && plural(waiting, 'question waits for you', 'questions wait for you')}
      </p>
      <ThemeButton />
    </header>
  )
}

function ThemeButton() {
  const chosen = useStore(theme)
  return (
    <button type="button" className={styles.theme} onClick={nextTheme}>
      <Icon of="theme" />
      <span>
        <span className={styles.colours}>Colours: </span>
        {chosen}
      </span>
    </button>
  )
}
