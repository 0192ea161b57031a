import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { link } from '../host/link.ts'
import { passkeyRequest } from '../host/passkey.ts'
import { useStore } from '../host/store.ts'
import { keepFocus } from '../parts/keep-focus.ts'
import { hasLanded } from '../parts/landing.ts'
import { useDocumentTitle } from './document-title.ts'
import { LinkBanner } from './link-banner.tsx'
import { Navigation } from './navigation.tsx'
import { OutcomeNotice } from './outcome-notice.tsx'
import { paletteOpen, togglePaletteByKey } from './palette-open.ts'
import { QuestionNotice } from './question-notice.tsx'
import styles from './shell.module.css'
import { SignIn } from './sign-in.tsx'

const Palette = lazy(() => import('./palette/palette.tsx').then(({ Palette }) => ({ default: Palette })))

const ConfirmPasskey = lazy(() =>
  import('./confirm-passkey.tsx').then(({ ConfirmPasskey }) => ({ default: ConfirmPasskey })),
)

/** Frame of every screen. */
export function Shell() {
  useDocumentTitle()
  const isPaletteOpen = useStore(paletteOpen)
  const request = useStore(passkeyRequest)
  const isSignedOut = useStore(link) === 'signed out'
  useEffect(() => {
    // before a field that has the focus takes the letters
    addEventListener('keydown', togglePaletteByKey, true)
    return () => removeEventListener('keydown', togglePaletteByKey, true)
  }, [])
  if (isSignedOut) return <SignIn />
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        To the content
      </a>
      <Navigation />
      {/* before the screen, so that it is a few steps of Tab from where one lands */}
      <QuestionNotice />
      <Main />
      <OutcomeNotice />
      {request && (
        <Suspense>
          <ConfirmPasskey request={request} />
        </Suspense>
      )}
      {isPaletteOpen && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </div>
  )
}

function Main() {
  const main = useRef<HTMLElement>(null)
  const screen = useLocation({ select: ({ pathname }) => pathname.split('/')[1] ?? '' })
  const isFirst = useRef(screen)
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), [])
  useEffect(() => {
    // after a change of screen, the keyboard goes on from its beginning, unless a jump has led further
    if (isFirst.current !== screen && !hasLanded()) main.current?.focus({ preventScroll: true })
    isFirst.current = screen
  }, [screen])
  return (
    <main id="main" ref={main} tabIndex={-1} className={styles.main}>
      <LinkBanner />
      <Outlet />
    </main>
  )
}
