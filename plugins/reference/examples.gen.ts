// Made by `npm run docs`. Do not edit.
// The recorded examples of the standard plugins' operations. A function, so that it costs nothing until it is called.
import type { OperationExamples } from '../../core/index.ts';

export const examples = (): OperationExamples => ({
 "audit.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "aud_01M7WQRWM8X5NVR6RSV7QPP3XG",
     "ts": "2026-11-20T15:04:05.000Z",
     "actor": {
      "kind": "service",
      "client": "billing-service"
     },
     "action": "suppression.create",
     "target": {
      "kind": "domain",
      "id": "example.com"
     },
     "request_id": "req_01M7WQRWM88A9NYTDXX0X5X0P4",
     "metadata": {
      "reason": "unsubscribe"
     }
    },
    {
     "id": "aud_01M7WQRWM8WM96PAZABXYKWC0B",
     "ts": "2026-11-20T15:04:05.000Z",
     "actor": {
      "kind": "service",
      "client": "billing-service"
     },
     "action": "transactional.send",
     "target": {
      "kind": "message",
      "id": "msg_01M7WQRWM88YHN0CRCD4CY1PY5"
     },
     "request_id": "req_01M7WQRWM8EW7GS022JPJTMYM5",
     "metadata": {
      "template": "first-steps",
      "to_domain": "example.com"
     }
    }
   ],
   "next_cursor": "WyJhdWRpdCIsMTc5NTE4NzA0NTAwMCwiYXVkXzAxTTdXUVJXTThXTTk2UEFaQUJYWUtXQzBCIl0"
  }
 },
 "brand.create": {
  "body": {
   "name": "Northwind-1",
   "voice": {
    "tone": "Warm and short",
    "do": [
     "Say what happens next"
    ]
   },
   "palette": {
    "primary": "#1c5a44"
   },
   "themes": [
    {
     "name": "Winter",
     "palette": {
      "primary": "#24476b"
     }
    }
   ]
  },
  "answer": {
   "id": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "name": "Northwind-1",
   "is_default": true,
   "voice": {
    "tone": "Warm and short",
    "personality": null,
    "do": [
     "Say what happens next"
    ],
    "dont": [],
    "sample": null
   },
   "palette": {
    "primary": "#1c5a44",
    "secondary": "#5b6b7f",
    "accent": "#b4541a",
    "background": "#ffffff",
    "text": "#1d2129"
   },
   "fonts": {
    "heading": {
     "family": "Helvetica",
     "fallback": "sans"
    },
    "body": {
     "family": "Helvetica",
     "fallback": "sans"
    }
   },
   "logos": {
    "light": null,
    "dark": null,
    "mark": null
   },
   "themes": [
    {
     "id": "thm_01M7WQRWM8FJYAFQ7EF4MJGX1V",
     "name": "Winter",
     "palette": {
      "primary": "#24476b",
      "secondary": "#5b6b7f",
      "accent": "#b4541a",
      "background": "#ffffff",
      "text": "#1d2129"
     },
     "fonts": {
      "heading": {
       "family": "Helvetica",
       "fallback": "sans"
      },
      "body": {
       "family": "Helvetica",
       "fallback": "sans"
      }
     },
     "logo": null,
     "radius": 8
    }
   ],
   "warnings": [],
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z"
  }
 },
 "brand.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
     "name": "Brand-3",
     "is_default": false,
     "voice": {
      "tone": null,
      "personality": null,
      "do": [],
      "dont": [],
      "sample": null
     },
     "palette": {
      "primary": "#1f3a5f",
      "secondary": "#5b6b7f",
      "accent": "#b4541a",
      "background": "#ffffff",
      "text": "#1d2129"
     },
     "fonts": {
      "heading": {
       "family": "Helvetica",
       "fallback": "sans"
      },
      "body": {
       "family": "Helvetica",
       "fallback": "sans"
      }
     },
     "logos": {
      "light": null,
      "dark": null,
      "mark": null
     },
     "themes": [],
     "warnings": [],
     "created_at": "2026-11-20T15:04:05.000Z",
     "updated_at": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "brd_01M7WQRWM8DBGCYCMD85XRR8Y2",
     "name": "Northwind-1",
     "is_default": false,
     "voice": {
      "tone": "Warm and short",
      "personality": null,
      "do": [
       "Say what happens next"
      ],
      "dont": [],
      "sample": null
     },
     "palette": {
      "primary": "#1c5a44",
      "secondary": "#5b6b7f",
      "accent": "#b4541a",
      "background": "#ffffff",
      "text": "#1d2129"
     },
     "fonts": {
      "heading": {
       "family": "Helvetica",
       "fallback": "sans"
      },
      "body": {
       "family": "Helvetica",
       "fallback": "sans"
      }
     },
     "logos": {
      "light": null,
      "dark": null,
      "mark": null
     },
     "themes": [
      {
       "id": "thm_01M7WQRWM8FJYAFQ7EF4MJGX1V",
       "name": "Winter",
       "palette": {
        "primary": "#24476b",
        "secondary": "#5b6b7f",
        "accent": "#b4541a",
        "background": "#ffffff",
        "text": "#1d2129"
       },
       "fonts": {
        "heading": {
         "family": "Helvetica",
         "fallback": "sans"
        },
        "body": {
         "family": "Helvetica",
         "fallback": "sans"
        }
       },
       "logo": null,
       "radius": 8
      }
     ],
     "warnings": [],
     "created_at": "2026-11-20T15:04:05.000Z",
     "updated_at": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJicmFuZC5saXN0IiwxNzk1MTg3MDQ1MDAwLCJicmRfMDFNN1dRUldNOERCR0NZQ01EODVYUlI4WTIiXQ"
  }
 },
 "brand.read": {
  "params": {
   "id": "brd_01M7WQRWM83J873PAV8Z0BZQK6"
  },
  "answer": {
   "id": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "name": "Brand-1",
   "is_default": true,
   "voice": {
    "tone": null,
    "personality": null,
    "do": [],
    "dont": [],
    "sample": null
   },
   "palette": {
    "primary": "#1f3a5f",
    "secondary": "#5b6b7f",
    "accent": "#b4541a",
    "background": "#ffffff",
    "text": "#1d2129"
   },
   "fonts": {
    "heading": {
     "family": "Helvetica",
     "fallback": "sans"
    },
    "body": {
     "family": "Helvetica",
     "fallback": "sans"
    }
   },
   "logos": {
    "light": null,
    "dark": null,
    "mark": null
   },
   "themes": [],
   "warnings": [],
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z"
  }
 },
 "brand.update": {
  "params": {
   "id": "brd_01M7WQRWM83J873PAV8Z0BZQK6"
  },
  "body": {
   "voice": {
    "tone": "Plain"
   },
   "palette": {
    "accent": "#8a3ffc"
   }
  },
  "answer": {
   "id": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "name": "Brand-1",
   "is_default": true,
   "voice": {
    "tone": "Plain",
    "personality": null,
    "do": [],
    "dont": [],
    "sample": null
   },
   "palette": {
    "primary": "#1f3a5f",
    "secondary": "#5b6b7f",
    "accent": "#8a3ffc",
    "background": "#ffffff",
    "text": "#1d2129"
   },
   "fonts": {
    "heading": {
     "family": "Helvetica",
     "fallback": "sans"
    },
    "body": {
     "family": "Helvetica",
     "fallback": "sans"
    }
   },
   "logos": {
    "light": null,
    "dark": null,
    "mark": null
   },
   "themes": [],
   "warnings": [],
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z"
  }
 },
 "connectors.catalog": {
  "answer": {
   "data": [
    {
     "kind": "mail",
     "provider": "smtp",
     "name": "SMTP",
     "credentials": {
      "type": "object",
      "properties": {
       "user": {
        "type": "string",
        "minLength": 1,
        "maxLength": 320
       },
       "pass": {
        "type": "string",
        "minLength": 1,
        "maxLength": 2000
       }
      },
      "required": [
       "user",
       "pass"
      ],
      "additionalProperties": false
     },
     "options": {
      "type": "object",
      "properties": {
       "host": {
        "type": "string",
        "maxLength": 253,
        "pattern": "^[\\w.:-]+$",
        "description": "The submission server, such as smtp.example.com."
       },
       "port": {
        "description": "465 with secure, else 587, where it is left out.",
        "type": "integer",
        "minimum": 1,
        "maximum": 65535
       },
       "secure": {
        "description": "TLS from the first byte. True on port 465 where it is left out.",
        "type": "boolean"
       }
      },
      "required": [
       "host"
      ],
      "additionalProperties": false
     }
    }
   ]
  }
 },
 "connectors.list": {
  "answer": {
   "data": [
    {
     "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
     "kind": "mail",
     "provider": "smtp",
     "name": "Own mail server",
     "status": "connected",
     "lastUsedAt": null,
     "createdAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": null
  }
 },
 "contacts.delete": {
  "params": {
   "contactId": "con_01M7WQRWM8HKBNN9SYRKDYCYB7"
  },
  "answer": {
   "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
   "deleted": true
  }
 },
 "contacts.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
     "external_id": "user-4",
     "email": "person-4@example.com",
     "attributes": {
      "plan": "pro"
     },
     "subscribed": true,
     "created_at": "2026-11-20T15:04:05.000Z",
     "updated_at": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "con_01M7WQRWM8BEYDVA9V5T7Q1BXE",
     "external_id": "user-3",
     "email": "person-3@example.com",
     "attributes": {
      "first_name": "Ada",
      "plan": "pro"
     },
     "subscribed": true,
     "created_at": "2026-11-20T15:04:05.000Z",
     "updated_at": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJjb250YWN0cy5saXN0IiwxNzk1MTg3MDQ1MDAwLCJjb25fMDFNN1dRUldNOEJFWURWQTlWNVQ3UTFCWEUiXQ"
  }
 },
 "contacts.read": {
  "params": {
   "contactId": "con_01M7WQRWM8HKBNN9SYRKDYCYB7"
  },
  "answer": {
   "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
   "external_id": "user-1",
   "email": "person-1@example.com",
   "attributes": {
    "plan": "pro"
   },
   "subscribed": true,
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z",
   "timeline": []
  }
 },
 "contacts.upsert": {
  "body": {
   "external_id": "user-1",
   "email": "person-1@example.com",
   "attributes": {
    "first_name": "Ada",
    "plan": "pro"
   }
  },
  "answer": {
   "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
   "external_id": "user-1",
   "email": "person-1@example.com",
   "attributes": {
    "first_name": "Ada",
    "plan": "pro"
   },
   "subscribed": true,
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z"
  }
 },
 "email.batch": {
  "body": {
   "template": "order-confirmation",
   "recipients": [
    {
     "to": "ada@example.com",
     "variables": {
      "name": "Ada"
     }
    },
    {
     "to": "grace@example.com",
     "variables": {
      "name": "Ada"
     }
    }
   ]
  },
  "answer": {
   "data": [
    {
     "index": 0,
     "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN",
     "status": "sent"
    },
    {
     "index": 1,
     "id": "snd_01M7WQRWM8RYVZYC5N2GK7T1S9",
     "status": "sent"
    }
   ]
  }
 },
 "email.cancel_scheduled": {
  "params": {
   "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN"
  },
  "answer": {
   "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN",
   "messageId": "msg_01M7WQRWM88YHN0CRCD4CY1PY5",
   "status": "canceled",
   "templateKey": "order-confirmation",
   "templateVersion": 1,
   "to": "ada@example.com",
   "from": {
    "email": "hello@northwind.example",
    "name": "Northwind Supply"
   },
   "subject": "Hello Ada",
   "connectorProvider": "capture",
   "apiKeyId": null,
   "sandbox": false,
   "tags": [],
   "createdAt": "2026-11-20T15:04:05.000Z",
   "scheduledAt": "2026-11-20T16:04:05.000Z",
   "opens": 0,
   "clicks": 0,
   "events": [
    {
     "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
     "type": "send.scheduled",
     "ts": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "evt_01M7WQRWM8ZPWJ3XE3230KFA1Z",
     "type": "send.canceled",
     "ts": "2026-11-20T15:04:05.000Z",
     "reason": "Canceled by the API key key_01M7WQRWM81M9P7261M2DQC3KT before it was sent."
    }
   ],
   "whyNotSent": "Canceled by the API key key_01M7WQRWM81M9P7261M2DQC3KT before it was sent."
  }
 },
 "email.preview": {
  "body": {
   "template": "order-confirmation",
   "variables": {
    "name": "Ada"
   }
  },
  "answer": {
   "html": "<!doctype html>\n<html lang=\"und\" dir=\"auto\" xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:offi…",
   "text": "Hello Ada",
   "subject": "Hello Ada"
  }
 },
 "email.send": {
  "params": {
   "key": "receipt"
  },
  "body": {
   "to": "ada@example.com",
   "variables": {
    "name": "Ada",
    "order": "NW-1042",
    "total": "42.00 EUR"
   },
   "metadata": {
    "order": "NW-1042"
   },
   "tags": [
    "orders"
   ]
  },
  "answer": {
   "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN",
   "messageId": "msg_01M7WQRWM88YHN0CRCD4CY1PY5",
   "status": "sent",
   "templateKey": "receipt",
   "templateVersion": 1,
   "to": "ada@example.com",
   "from": {
    "email": "hello@northwind.example",
    "name": "Northwind Supply"
   },
   "subject": "Your Example receipt NW-1042",
   "locale": "en",
   "connectorProvider": "capture",
   "apiKeyId": "key_01M7WQRWM81M9P7261M2DQC3KT",
   "sandbox": false,
   "tags": [
    "orders"
   ],
   "metadata": {
    "order": "NW-1042"
   },
   "createdAt": "2026-11-20T15:04:05.000Z",
   "opens": 0,
   "clicks": 0,
   "events": [
    {
     "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
     "type": "send.queued",
     "ts": "2026-11-20T15:04:05.000Z"
    }
   ]
  }
 },
 "email.send_alias": {
  "body": {
   "template": "order-confirmation",
   "to": "ada@example.com",
   "variables": {
    "name": "Ada"
   }
  },
  "answer": {
   "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN",
   "messageId": "msg_01M7WQRWM88YHN0CRCD4CY1PY5",
   "status": "sent",
   "templateKey": "order-confirmation",
   "templateVersion": 1,
   "to": "ada@example.com",
   "from": {
    "email": "hello@northwind.example",
    "name": "Northwind Supply"
   },
   "subject": "Hello Ada",
   "connectorProvider": "capture",
   "apiKeyId": "key_01M7WQRWM81M9P7261M2DQC3KT",
   "sandbox": false,
   "tags": [],
   "createdAt": "2026-11-20T15:04:05.000Z",
   "opens": 0,
   "clicks": 0,
   "events": [
    {
     "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
     "type": "send.queued",
     "ts": "2026-11-20T15:04:05.000Z"
    }
   ]
  }
 },
 "email.send_test": {
  "params": {
   "key": "order-confirmation"
  },
  "body": {
   "variables": {
    "name": "Ada"
   }
  },
  "answer": {
   "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN",
   "messageId": "msg_01M7WQRWM88YHN0CRCD4CY1PY5",
   "status": "sent",
   "templateKey": "order-confirmation",
   "templateVersion": 0,
   "to": "hello@northwind.example",
   "from": {
    "email": "hello@northwind.example",
    "name": "Northwind Supply"
   },
   "subject": "Hello Ada",
   "connectorProvider": "sandbox",
   "apiKeyId": "key_01M7WQRWM81M9P7261M2DQC3KT",
   "sandbox": true,
   "test": true,
   "tags": [],
   "createdAt": "2026-11-20T15:04:05.000Z",
   "opens": 0,
   "clicks": 0,
   "events": [
    {
     "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
     "type": "send.queued",
     "ts": "2026-11-20T15:04:05.000Z"
    }
   ],
   "simulation": {
    "scenario": "delivered",
    "synthetic": true
   }
  }
 },
 "events.emit": {
  "body": {
   "type": "order.placed",
   "contact": {
    "external_id": "user-1",
    "email": "person-1@example.com"
   },
   "metadata": {
    "order_id": "A-1042",
    "total": 42.5,
    "items": [
     "mug",
     "pen"
    ],
    "shipping": {
     "express": true
    }
   }
  },
  "answer": {
   "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
   "type": "order.placed",
   "contact": {
    "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
    "external_id": "user-1",
    "email": "person-1@example.com"
   },
   "metadata": {
    "order_id": "A-1042",
    "total": 42.5,
    "items": [
     "mug",
     "pen"
    ],
    "shipping": {
     "express": true
    }
   },
   "received_at": "2026-11-20T15:04:05.000Z",
   "fan_out": {
    "sequences_woken": 0,
    "webhooks_dispatched": 0
   }
  }
 },
 "keys.list": {
  "answer": {
   "data": [
    {
     "id": "key_01M7WQRWM81M9P7261M2DQC3KT",
     "name": "Staging",
     "mode": "test",
     "sandbox": true,
     "prefix": "postrider_test_R10Q83",
     "scopes": [
      "workspace:read",
      "keys:read",
      "audit:read",
      "brand:read",
      "brand:write",
      "templates:read",
      "templates:write",
      "templates:send",
      "suppressions:read",
      "suppressions:write",
      "suppressions:bypass",
      "connectors:read",
      "sends:read",
      "contacts:read",
      "contacts:write",
      "contacts:erase",
      "events:write",
      "webhooks:manage"
     ],
     "preset": "full",
     "created_at": "2026-11-20T15:04:05.000Z",
     "last_used_at": null,
     "expires_at": null,
     "revoked_at": null,
     "created_by": null
    },
    {
     "id": "key_01M7WQRWM8H2KPCB3ZKN22M17M",
     "name": "Backend",
     "mode": "live",
     "sandbox": false,
     "prefix": "postrider_live_53JSX8",
     "scopes": [
      "workspace:read",
      "keys:read",
      "audit:read",
      "brand:read",
      "brand:write",
      "templates:read",
      "templates:write",
      "templates:send",
      "suppressions:read",
      "suppressions:write",
      "suppressions:bypass",
      "connectors:read",
      "sends:read",
      "contacts:read",
      "contacts:write",
      "contacts:erase",
      "events:write",
      "webhooks:manage"
     ],
     "preset": "full",
     "created_at": "2026-11-20T15:04:05.000Z",
     "last_used_at": null,
     "expires_at": null,
     "revoked_at": null,
     "created_by": null
    }
   ],
   "next_cursor": null
  }
 },
 "keys.read": {
  "params": {
   "id": "key_01M7WQRWM81M9P7261M2DQC3KT"
  },
  "answer": {
   "id": "key_01M7WQRWM81M9P7261M2DQC3KT",
   "name": "Monitoring",
   "mode": "live",
   "sandbox": false,
   "prefix": "postrider_live_53JSX8",
   "scopes": [
    "workspace:read",
    "keys:read",
    "audit:read",
    "brand:read",
    "templates:read",
    "suppressions:read",
    "connectors:read",
    "sends:read",
    "contacts:read"
   ],
   "preset": "read",
   "created_at": "2026-11-20T15:04:05.000Z",
   "last_used_at": null,
   "expires_at": null,
   "revoked_at": null,
   "created_by": null
  }
 },
 "sends.list": {
  "answer": {
   "data": [
    {
     "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN",
     "messageId": "msg_01M7WQRWM88YHN0CRCD4CY1PY5",
     "status": "sent",
     "templateKey": "first-steps",
     "templateVersion": 1,
     "to": "linus@example.com",
     "from": {
      "email": "hello@northwind.example",
      "name": "Northwind Supply"
     },
     "subject": "Welcome, Linus",
     "connectorProvider": "capture",
     "apiKeyId": null,
     "sandbox": false,
     "tags": [],
     "createdAt": "2026-11-20T15:04:05.000Z",
     "opens": 0,
     "clicks": 0,
     "events": [
      {
       "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
       "type": "send.queued",
       "ts": "2026-11-20T15:04:05.000Z"
      },
      {
       "id": "evt_01M7WQRWM8ZPWJ3XE3230KFA1Z",
       "type": "send.sent",
       "ts": "2026-11-20T15:04:05.000Z"
      }
     ]
    }
   ],
   "next_cursor": null
  }
 },
 "sends.read": {
  "params": {
   "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN"
  },
  "answer": {
   "id": "snd_01M7WQRWM84ABPGH68PX7RH4EN",
   "messageId": "msg_01M7WQRWM88YHN0CRCD4CY1PY5",
   "status": "sent",
   "templateKey": "order-confirmation",
   "templateVersion": 1,
   "to": "ada@example.com",
   "from": {
    "email": "hello@northwind.example",
    "name": "Northwind Supply"
   },
   "subject": "Hello Ada",
   "connectorProvider": "capture",
   "apiKeyId": null,
   "sandbox": false,
   "tags": [],
   "createdAt": "2026-11-20T15:04:05.000Z",
   "opens": 0,
   "clicks": 0,
   "events": [
    {
     "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
     "type": "send.queued",
     "ts": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "evt_01M7WQRWM8ZPWJ3XE3230KFA1Z",
     "type": "send.sent",
     "ts": "2026-11-20T15:04:05.000Z"
    }
   ]
  }
 },
 "suppressions.create": {
  "body": {
   "email": "grace@example.com",
   "note": "Asked support to stop all mail."
  },
  "answer": {
   "email": "grace@example.com",
   "reason": "manual",
   "scope": "all",
   "send_id": null,
   "note": "Asked support to stop all mail.",
   "created_at": "2026-11-20T15:04:05.000Z",
   "expires_at": null
  }
 },
 "suppressions.delete": {
  "params": {
   "email": "grace@example.com"
  },
  "answer": {
   "email": "grace@example.com",
   "deleted": true
  }
 },
 "suppressions.list": {
  "answer": {
   "data": [
    {
     "email": "alan@example.com",
     "reason": "unsubscribe",
     "scope": "all",
     "send_id": null,
     "note": "Asked by phone.",
     "created_at": "2026-11-20T15:04:05.000Z",
     "expires_at": null
    }
   ],
   "next_cursor": null
  }
 },
 "templates.archive": {
  "params": {
   "key": "order-confirmation"
  },
  "answer": {
   "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
   "key": "order-confirmation",
   "name": "Untitled email",
   "kind": "email",
   "category": "transactional",
   "mode": "mjml",
   "subject": "Hello {{name}}",
   "previewText": "",
   "themeId": null,
   "layout": null,
   "locale": null,
   "version": 0,
   "status": "archived",
   "contractVersion": 0,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null,
   "delivery": "at-least-once",
   "tracking": {
    "opens": false,
    "clicks": false
   }
  }
 },
 "templates.compose": {
  "body": {
   "key": "composed-1",
   "prompt": "A welcome mail for people who opened an account. Short and warm."
  },
  "answer": {
   "data": {
    "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
    "key": "composed-1",
    "name": "Welcome",
    "kind": "email",
    "category": "transactional",
    "mode": "mjml",
    "subject": "Welcome to {{product}}, {{name}}",
    "previewText": "Your account is ready.{% if steps.size > 0 %} Here is where to start.{% endif %}",
    "themeId": null,
    "layout": null,
    "locale": null,
    "version": 0,
    "status": "draft",
    "contractVersion": 0,
    "createdAt": "2026-11-20T15:04:05.000Z",
    "updatedAt": "2026-11-20T15:04:05.000Z",
    "publishedAt": null,
    "delivery": "at-least-once",
    "tracking": {
     "opens": false,
     "clicks": false
    }
   }
  },
  "credits": 5
 },
 "templates.create": {
  "body": {
   "key": "order-confirmation",
   "subject": "Your order, {{name}}",
   "name": "Order confirmation"
  },
  "answer": {
   "data": {
    "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
    "key": "order-confirmation",
    "name": "Order confirmation",
    "kind": "email",
    "category": "transactional",
    "mode": "mjml",
    "subject": "Your order, {{name}}",
    "previewText": "",
    "themeId": null,
    "layout": null,
    "locale": null,
    "version": 0,
    "status": "draft",
    "contractVersion": 0,
    "createdAt": "2026-11-20T15:04:05.000Z",
    "updatedAt": "2026-11-20T15:04:05.000Z",
    "publishedAt": null,
    "delivery": "at-least-once",
    "tracking": {
     "opens": false,
     "clicks": false
    }
   }
  }
 },
 "templates.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
     "key": "first-steps",
     "name": "First steps",
     "kind": "email",
     "category": "transactional",
     "mode": "mjml",
     "subject": "Welcome, {{name}}",
     "previewText": "",
     "themeId": null,
     "layout": null,
     "locale": null,
     "version": 1,
     "status": "published",
     "contractVersion": 1,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "publishedAt": "2026-11-20T15:04:05.000Z",
     "delivery": "at-least-once",
     "tracking": {
      "opens": false,
      "clicks": false
     }
    },
    {
     "id": "tpl_01M7WQRWM83SV91Q7WSWTY3Y2M",
     "key": "invitation",
     "name": "Invitation",
     "kind": "email",
     "category": "transactional",
     "mode": "mjml",
     "subject": "{{inviter}} invited you to join {% if team != blank %}{{team}}{% else %}{{product}}{% endif %}",
     "previewText": "{% if message != blank %}{{message | squish | truncate: 120}}{% else %}Accept to join{% if role != blank %} as {{role}}{% endif %}.{% endif %}",
     "themeId": null,
     "layout": null,
     "locale": "en",
     "version": 1,
     "status": "published",
     "contractVersion": 1,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "publishedAt": "2026-11-20T15:04:05.000Z",
     "delivery": "at-least-once",
     "tracking": {
      "opens": false,
      "clicks": false
     }
    }
   ],
   "next_cursor": "WyJ0ZW1wbGF0ZXMubGlzdCIsMTc5NTE4NzA0NTAwMCwidHBsXzAxTTdXUVJXTTgzU1Y5MVE3V1NXVFkzWTJNIl0"
  }
 },
 "templates.publish": {
  "params": {
   "key": "order-confirmation"
  },
  "body": {},
  "answer": {
   "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
   "key": "order-confirmation",
   "name": "Untitled email",
   "kind": "email",
   "category": "transactional",
   "mode": "mjml",
   "subject": "Hello {{name}}",
   "previewText": "",
   "themeId": null,
   "layout": null,
   "locale": null,
   "version": 1,
   "status": "published",
   "contractVersion": 1,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": "2026-11-20T15:04:05.000Z",
   "delivery": "at-least-once",
   "tracking": {
    "opens": false,
    "clicks": false
   },
   "body": "<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>",
   "text": null,
   "locales": {},
   "variables": {
    "type": "object",
    "properties": {
     "name": {
      "type": "string"
     }
    },
    "required": [
     "name"
    ],
    "additionalProperties": false
   },
   "authoredVariables": null,
   "draft": false
  }
 },
 "templates.read": {
  "params": {
   "key": "order-confirmation"
  },
  "answer": {
   "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
   "key": "order-confirmation",
   "name": "Untitled email",
   "kind": "email",
   "category": "transactional",
   "mode": "mjml",
   "subject": "Hello {{name}}",
   "previewText": "",
   "themeId": null,
   "layout": null,
   "locale": null,
   "version": 0,
   "status": "draft",
   "contractVersion": 0,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null,
   "delivery": "at-least-once",
   "tracking": {
    "opens": false,
    "clicks": false
   },
   "body": "<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>",
   "text": null,
   "locales": {},
   "variables": {
    "type": "object",
    "properties": {
     "name": {
      "type": "string"
     }
    },
    "required": [
     "name"
    ],
    "additionalProperties": false
   },
   "authoredVariables": null,
   "draft": true
  }
 },
 "templates.render": {
  "params": {
   "key": "order-confirmation"
  },
  "body": {
   "variables": {
    "name": "Ada"
   }
  },
  "answer": {
   "html": "<!doctype html>\n<html lang=\"und\" dir=\"auto\" xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:offi…",
   "text": "Hello Ada",
   "subject": "Hello Ada",
   "previewText": "",
   "locale": null,
   "version": 0,
   "bytes": 3639,
   "warnings": []
  }
 },
 "templates.rollback": {
  "params": {
   "key": "order-confirmation"
  },
  "body": {
   "version": 1
  },
  "answer": {
   "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
   "key": "order-confirmation",
   "name": "Untitled email",
   "kind": "email",
   "category": "transactional",
   "mode": "mjml",
   "subject": "Hello {{name}}",
   "previewText": "",
   "themeId": null,
   "layout": null,
   "locale": null,
   "version": 2,
   "status": "published",
   "contractVersion": 1,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": "2026-11-20T15:04:05.000Z",
   "delivery": "at-least-once",
   "tracking": {
    "opens": false,
    "clicks": false
   },
   "body": "<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>",
   "text": null,
   "locales": {},
   "variables": {
    "type": "object",
    "properties": {
     "name": {
      "type": "string"
     }
    },
    "required": [
     "name"
    ],
    "additionalProperties": false
   },
   "authoredVariables": null,
   "draft": false
  }
 },
 "templates.schema": {
  "params": {
   "key": "order-confirmation"
  },
  "answer": {
   "key": "order-confirmation",
   "version": 1,
   "contractVersion": 1,
   "variables": {
    "type": "object",
    "properties": {
     "name": {
      "type": "string"
     }
    },
    "required": [
     "name"
    ],
    "additionalProperties": false
   },
   "required": [
    "name"
   ],
   "examples": {}
  }
 },
 "templates.update": {
  "params": {
   "key": "order-confirmation"
  },
  "body": {
   "subject": "Welcome {{name}}"
  },
  "answer": {
   "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ",
   "key": "order-confirmation",
   "name": "Untitled email",
   "kind": "email",
   "category": "transactional",
   "mode": "mjml",
   "subject": "Welcome {{name}}",
   "previewText": "",
   "themeId": null,
   "layout": null,
   "locale": null,
   "version": 0,
   "status": "draft",
   "contractVersion": 0,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null,
   "delivery": "at-least-once",
   "tracking": {
    "opens": false,
    "clicks": false
   },
   "body": "<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>",
   "text": null,
   "locales": {},
   "variables": {
    "type": "object",
    "properties": {
     "name": {
      "type": "string"
     }
    },
    "required": [
     "name"
    ],
    "additionalProperties": false
   },
   "authoredVariables": null,
   "draft": true
  }
 },
 "templates.versions": {
  "params": {
   "key": "order-confirmation"
  },
  "answer": {
   "data": [
    {
     "version": 1,
     "contractVersion": 1,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "subject": "Hello {{name}}",
     "current": true,
     "layout": null,
     "layoutVersion": null,
     "locale": null,
     "locales": []
    }
   ],
   "next_cursor": null
  }
 },
 "webhooks.create": {
  "body": {
   "url": "http://127.0.0.1:65530/webhooks",
   "events": [
    "send.delivered",
    "send.bounced"
   ]
  },
  "answer": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "sandbox": false,
   "url": "http://127.0.0.1:65530/webhooks",
   "events": [
    "send.delivered",
    "send.bounced"
   ],
   "description": null,
   "enabled": true,
   "secret": "whsec_476ZJ9PMW7D6GQB7JSE358BCYK42WVM4",
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z",
   "disabled_at": null,
   "disabled_reason": null
  }
 },
 "webhooks.delete": {
  "params": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B"
  },
  "answer": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "deleted": true
  }
 },
 "webhooks.deliveries": {
  "params": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B"
  },
  "answer": {
   "data": [
    {
     "id": "dlv_01M7WQRWM8F4E1CEKZABRYXBEM",
     "webhook_id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
     "event_id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
     "event_type": "send.bounced",
     "status": "failed",
     "attempts": [
      {
       "at": "2026-11-20T15:04:05.000Z",
       "status_code": 500,
       "duration_ms": 42,
       "error": "The receiver answered 500.",
       "response_excerpt": "Internal Server Error"
      }
     ],
     "next_attempt_at": null
    }
   ],
   "next_cursor": null
  }
 },
 "webhooks.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
     "sandbox": false,
     "url": "http://127.0.0.1:65530/webhooks",
     "events": [
      "send.delivered",
      "send.bounced"
     ],
     "description": "Orders-13",
     "enabled": true,
     "secret": "whsec_…V1gm",
     "created_at": "2026-11-20T15:04:05.000Z",
     "updated_at": "2026-11-20T15:04:05.000Z",
     "disabled_at": null,
     "disabled_reason": null
    },
    {
     "id": "whk_01M7WQRWM8KEKJ7RBB6N3QRYWH",
     "sandbox": false,
     "url": "http://127.0.0.1:65530/webhooks",
     "events": [
      "send.delivered",
      "send.bounced"
     ],
     "description": "Orders-11",
     "enabled": true,
     "secret": "whsec_…RxeE",
     "created_at": "2026-11-20T15:04:05.000Z",
     "updated_at": "2026-11-20T15:04:05.000Z",
     "disabled_at": null,
     "disabled_reason": null
    }
   ],
   "next_cursor": "WyJ3ZWJob29rcy5saXN0IiwxNzk1MTg3MDQ1MDAwLCJ3aGtfMDFNN1dRUldNOEtFS0o3UkJCNk4zUVJZV0giXQ"
  }
 },
 "webhooks.read": {
  "params": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B"
  },
  "answer": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "sandbox": false,
   "url": "http://127.0.0.1:65530/webhooks",
   "events": [
    "send.delivered",
    "send.bounced"
   ],
   "description": "Orders-1",
   "enabled": true,
   "secret": "whsec_…1SDG",
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z",
   "disabled_at": null,
   "disabled_reason": null
  }
 },
 "webhooks.replay": {
  "params": {
   "deliveryId": "dlv_01M7WQRWM8F4E1CEKZABRYXBEM"
  },
  "answer": {
   "id": "dlv_01M7WQRWM8F4E1CEKZABRYXBEM",
   "webhook_id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "event_id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
   "event_type": "send.bounced",
   "status": "pending",
   "attempts": [
    {
     "at": "2026-11-20T15:04:05.000Z",
     "status_code": 500,
     "duration_ms": 42,
     "error": "The receiver answered 500.",
     "response_excerpt": "Internal Server Error"
    }
   ],
   "next_attempt_at": "2026-11-20T15:04:05.000Z"
  }
 },
 "webhooks.rotate": {
  "params": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B"
  },
  "answer": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "sandbox": false,
   "url": "http://127.0.0.1:65530/webhooks",
   "events": [
    "send.delivered",
    "send.bounced"
   ],
   "description": "Orders-1",
   "enabled": true,
   "secret": "whsec_476ZJ9PMW7D6GQB7JSE358BCYK42WVM4",
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z",
   "disabled_at": null,
   "disabled_reason": null
  }
 },
 "webhooks.test": {
  "body": {
   "webhook_id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "event": "send.bounced"
  },
  "answer": {
   "id": "dlv_01M7WQRWM8F4E1CEKZABRYXBEM",
   "webhook_id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "event_id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
   "event_type": "send.bounced",
   "status": "pending",
   "attempts": [],
   "next_attempt_at": "2026-11-20T15:04:05.000Z"
  }
 },
 "webhooks.update": {
  "params": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B"
  },
  "body": {
   "events": [
    "send.*"
   ],
   "description": "Everything about mail"
  },
  "answer": {
   "id": "whk_01M7WQRWM8TNJXHXKQ66ZV270B",
   "sandbox": false,
   "url": "http://127.0.0.1:65530/webhooks",
   "events": [
    "send.*"
   ],
   "description": "Everything about mail",
   "enabled": true,
   "secret": "whsec_…1SDG",
   "created_at": "2026-11-20T15:04:05.000Z",
   "updated_at": "2026-11-20T15:04:05.000Z",
   "disabled_at": null,
   "disabled_reason": null
  }
 },
 "workspace.members": {
  "answer": {
   "data": [
    {
     "uid": "u_ada",
     "name": "Ada Lovelace",
     "email": "ada@northwind.example",
     "role": "owner"
    },
    {
     "uid": "u_grace",
     "name": "Grace Hopper",
     "email": "grace@northwind.example",
     "role": "editor"
    }
   ],
   "next_cursor": null
  }
 },
 "workspace.read": {
  "answer": {
   "id": "ws_01M7WQRWM8WKTQXWJ1CDQ1QMWT",
   "name": "Northwind Supply",
   "plan": "pro",
   "created_at": "2026-11-20T15:04:05.000Z",
   "limits": {
    "monthly_send_budget": 50000,
    "rate_limit_per_minute": 1800
   },
   "default_from": {
    "email": "hello@northwind.example",
    "name": "Northwind Supply"
   },
   "usage": {
    "sends_this_month": 1,
    "credits_balance": 3000
   },
   "features": [
    "workspace",
    "keys",
    "audit",
    "brand",
    "templates",
    "suppressions",
    "connectors",
    "domains",
    "email",
    "contacts",
    "events",
    "webhooks",
    "inbox",
    "reference"
   ]
  }
 }
});
