/** The texts for reading a code with the camera or from a picture. */
export const SCAN_TEXTS = {
  readImage: "Read an image",
  scan: "Scan a code",
  read: "Read a code",
  content: "Content of the code",
  noPicture: "The browser cannot show this file as a picture. Choose a PNG or a JPEG.",
  noCode: "This picture contains no readable code. Use a sharp picture that shows the whole code.",
  camera: "Camera picture",
  stop: "Stop",
  stopped: "Stopped the camera",
  disconnected: "The camera is disconnected. Connect it and scan again, or read an image of the code.",
  onlyHttps: "The browser allows only https pages to use the camera. Read an image of the code, or paste its content.",
  noStart: "The camera does not start. Read an image of the code.",
  noReader: "The code reader could not be loaded. Load the page again.",
} as const;

/**
 * Why a browser provides no camera, by the name of its error, and what to do. Source: Media Capture and Streams,
 * section 10.2.1.
 */
export const CAMERA_TEXTS: Readonly<Record<string, string>> = {
  NotAllowedError:
    "The browser does not let this page use the camera. Allow it in the browser's settings for this page, or read an image of the code.",
  NotFoundError: "There is no camera on this device. Read an image of the code, or paste its content.",
  NotReadableError:
    "The camera cannot be used now; another program may be using it. Close that program, or read an image of the code.",
};
