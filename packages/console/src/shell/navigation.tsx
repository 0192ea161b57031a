import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
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

type ScreenLink = (typeof screens)[number]

/** The places of a phone; the other screens are one touch further. */
const places: ReadonlySet<string> = new Set(['/inbox', '/servers', '/tools', '/chat', '/activity'])

/** Links to the screens, with counts of what needs attention. */
export function Navigation() {
  const waiting = useQuery(inboxQuery).data?.items.length ?? 0
  return (
    <header className={styles.rail}>
      <Brand />
      <button type="button" className={styles.find} onClick={openPalette}>
        Find anything <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Screens" className={styles.screens}>
        {screens.map((screen) => (
          <ScreenItem key={screen.to} screen={screen} className={places.has(screen.to) ? '' : styles.further} />
        ))}
        <More />
      </nav>
      <p role="status" className="visually-hidden">
        {waiting > 0 && plural(waiting, 'question waits for you', 'questions wait for you')}
      </p>
      <ThemeButton />
    </header>
  )
}

function ScreenItem({
  screen: { to, title },
  className = '',
}: {
  readonly screen: ScreenLink
  readonly className?: string | undefined
}) {
  const [count, words] = useCount(to)
  return (
    <Link to={to} className={`${styles.screen} ${className}`} activeProps={{ className: styles.current ?? '' }}>
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
}

function useCount(to: string): readonly [number, string] {
  const waiting = useQuery(inboxQuery).data?.items.length ?? 0
  const unwell = useQuery(serversQuery).data?.items.filter(needsAttention).length ?? 0
  if (to === '/inbox') return [waiting, plural(waiting, 'question waits', 'questions wait')]
  if (to === '/servers') return [unwell, plural(unwell, 'server needs attention', 'servers need attention')]
  return [0, '']
}

/** The screens that have no place on a phone. */
function More() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const further = screens.filter(({ to }) => !places.has(to))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when another screen is opened
  useEffect(() => setOpen(false), [path])
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div className={styles.more}>
      <button
        ref={button}
        type="button"
        className={`${styles.screen} ${further.some(({ to }) => path.startsWith(to)) ? styles.current : ''}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={closeByKey}
      >
        <Icon of="more" />
        <span className={styles.title}>More</span>
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from each of its links
        <div className={styles.sheet} onKeyDown={closeByKey}>
          {further.map((screen) => (
            <ScreenItem key={screen.to} screen={screen} className={styles.inSheet} />
          ))}
          <ThemeButton />
        </div>
      )}
    </div>
  )
}

function ThemeButton() {
  const chosen = useStore(theme)
  return (
    <button type="button" className={styles.theme} onClick={nextTheme}>
      <Icon of="theme" />
      <span>Colours: {chosen}</span>
    </button>
  )
}
