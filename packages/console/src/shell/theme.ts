import { createStore } from '../host/store.ts'

/** `system` follows what the machine says. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'trunkline-theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

/** The colours a person chose; a choice of looks may outlive the page. */
export const theme = createStore<Theme>(themes.find((one) => one === localStorage.getItem(key)) ?? 'system')

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(key, chosen)
  theme.set(chosen)
  applyTheme()
}

export function nextTheme(): void {
  chooseTheme(themes[(themes.indexOf(theme.get()) + 1) % themes.length] ?? 'system')
}

export function applyTheme(): void {
  const chosen = theme.get()
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
