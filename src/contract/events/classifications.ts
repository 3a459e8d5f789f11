// What people may say that an event was.

export const classifications = ['attack', 'flash_crowd', 'false_positive', 'test'] as const
