// The reader's browser: its time zone, and those that it knows.

export const readersZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

export const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]
