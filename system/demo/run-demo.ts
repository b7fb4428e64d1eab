export async function runDemo(_x: { env: object; cityLimit: number | undefined }): Promise<number> { return 0; }
