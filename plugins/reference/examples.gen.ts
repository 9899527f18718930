// Made by `npm run docs`. Do not edit.
// The recorded examples of the standard plugins' operations. A function, so that it costs nothing until it is called.
import type { OperationExamples } from '../../core/index.ts';

export const examples = (): OperationExamples => ({
 "approvals.decide": {
  "params": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63"
  },
  "body": {
   "decision": "reject"
  },
  "answer": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63",
   "surfaceKind": "email_template",
   "target": {
    "kind": "template",
    "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ"
   },
   "transition": null,
   "status": "rejected",
   "reason": null,
   "contentHash": "3f9b8cee24fffcf1f9806a27df57ddc1967493a65ee16bcabf3a6b9f01daf9c9",
   "summary": "Approve a content: welcome-1.",
   "note": null,
   "diff": [
    {
     "path": "subject",
     "before": "Hi",
     "after": "Hello-1"
    }
   ],
   "rule": {
    "minApprovals": 1,
    "reviewers": []
   },
   "submittedBy": {
    "uid": "u_author",
    "keyId": "key_01M7WQRWM81M9P7261M2DQC3KT"
   },
   "decisions": [
    {
     "uid": "u_ada",
     "decision": "reject",
     "comment": null,
     "at": "2026-11-20T15:04:05.000Z"
    }
   ],
   "execution": null,
   "supersedes": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "decidedAt": "2026-11-20T15:04:05.000Z",
   "expiresAt": "2026-11-27T15:04:05.000Z"
  }
 },
 "approvals.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63",
     "surfaceKind": "email_template",
     "target": {
      "kind": "template",
      "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ"
     },
     "transition": null,
     "status": "withdrawn",
     "reason": null,
     "contentHash": "04b00c2b4c1fd9ae737fb0e8e6e61087f24044d385a50eb73202ce6e984c4355",
     "summary": "Approve a content: welcome-5.",
     "note": null,
     "diff": [
      {
       "path": "subject",
       "before": "Hi",
       "after": "Hello-5"
      }
     ],
     "rule": {
      "minApprovals": 1,
      "reviewers": []
     },
     "submittedBy": {
      "uid": "u_author",
      "keyId": "key_01M7WQRWM81M9P7261M2DQC3KT"
     },
     "decisions": [],
     "execution": null,
     "supersedes": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "decidedAt": "2026-11-20T15:04:05.000Z",
     "expiresAt": "2026-11-27T15:04:05.000Z"
    },
    {
     "requestId": "apr_01M7WQRWM8TATVJ4CGPK5KR454",
     "surfaceKind": "email_template",
     "target": {
      "kind": "template",
      "id": "tpl_01M7WQRWM83SV91Q7WSWTY3Y2M"
     },
     "transition": null,
     "status": "pending",
     "reason": null,
     "contentHash": "a29d8c4986d493d2f4219a2124958a766a3f8d8b54f7ef9282e56a39966ea8b4",
     "summary": "Approve the content: page-1.",
     "note": null,
     "diff": null,
     "rule": {
      "minApprovals": 1,
      "reviewers": []
     },
     "submittedBy": {
      "uid": "u_ada",
      "keyId": "key_01M7WQRWM8H2KPCB3ZKN22M17M"
     },
     "decisions": [],
     "execution": null,
     "supersedes": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "decidedAt": null,
     "expiresAt": "2026-11-27T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJhcHByb3ZhbHMubGlzdCIsMTc5NTE4NzA0NTAwMCwiYXByXzAxTTdXUVJXTThUQVRWSjRDR1BLNUtSNDU0Il0"
  }
 },
 "approvals.pending": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63",
     "surfaceKind": "email_template",
     "target": {
      "kind": "template",
      "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ"
     },
     "transition": null,
     "status": "pending",
     "reason": null,
     "contentHash": "3f9b8cee24fffcf1f9806a27df57ddc1967493a65ee16bcabf3a6b9f01daf9c9",
     "summary": "Approve a content: welcome-1.",
     "note": null,
     "diff": [
      {
       "path": "subject",
       "before": "Hi",
       "after": "Hello-1"
      }
     ],
     "rule": {
      "minApprovals": 1,
      "reviewers": []
     },
     "submittedBy": {
      "uid": "u_author",
      "keyId": "key_01M7WQRWM81M9P7261M2DQC3KT"
     },
     "decisions": [],
     "execution": null,
     "supersedes": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "decidedAt": null,
     "expiresAt": "2026-11-27T15:04:05.000Z"
    },
    {
     "requestId": "apr_01M7WQRWM8TATVJ4CGPK5KR454",
     "surfaceKind": "email_template",
     "target": {
      "kind": "template",
      "id": "tpl_01M7WQRWM83SV91Q7WSWTY3Y2M"
     },
     "transition": null,
     "status": "pending",
     "reason": null,
     "contentHash": "3f2b2ca6e008e1e628a1a672d788279347676eaf141c375a277732cd3eee53c1",
     "summary": "Approve a content: welcome-4.",
     "note": null,
     "diff": [
      {
       "path": "subject",
       "before": "Hi",
       "after": "Hello-4"
      }
     ],
     "rule": {
      "minApprovals": 1,
      "reviewers": []
     },
     "submittedBy": {
      "uid": "u_author",
      "keyId": "key_01M7WQRWM8H2KPCB3ZKN22M17M"
     },
     "decisions": [],
     "execution": null,
     "supersedes": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "decidedAt": null,
     "expiresAt": "2026-11-27T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJhcHByb3ZhbHMucGVuZGluZyIsMTc5NTE4NzA0NTAwMCwiYXByXzAxTTdXUVJXTThUQVRWSjRDR1BLNUtSNDU0Il0"
  }
 },
 "approvals.policies": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "required": false,
     "minApprovals": 1,
     "reviewers": [],
     "appliesTo": "all",
     "expiresAfterHours": 168,
     "surfaceKind": "social_post",
     "updatedAt": null,
     "updatedBy": null
    },
    {
     "required": false,
     "minApprovals": 1,
     "reviewers": [],
     "appliesTo": "all",
     "expiresAfterHours": 168,
     "surfaceKind": "email_template",
     "updatedAt": null,
     "updatedBy": null
    }
   ],
   "next_cursor": "WyJhcHByb3ZhbHMucG9saWNpZXMiLDEsImVtYWlsX3RlbXBsYXRlIl0"
  }
 },
 "approvals.policy_set": {
  "params": {
   "surfaceKind": "email_template"
  },
  "body": {
   "required": true
  },
  "answer": {
   "required": true,
   "minApprovals": 1,
   "reviewers": [],
   "appliesTo": "all",
   "expiresAfterHours": 168,
   "surfaceKind": "email_template",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "updatedBy": "u_ada"
  }
 },
 "approvals.read": {
  "params": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63"
  },
  "answer": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63",
   "surfaceKind": "email_template",
   "target": {
    "kind": "template",
    "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ"
   },
   "transition": null,
   "status": "pending",
   "reason": null,
   "contentHash": "3f9b8cee24fffcf1f9806a27df57ddc1967493a65ee16bcabf3a6b9f01daf9c9",
   "summary": "Approve a content: welcome-1.",
   "note": null,
   "diff": [
    {
     "path": "subject",
     "before": "Hi",
     "after": "Hello-1"
    }
   ],
   "rule": {
    "minApprovals": 1,
    "reviewers": []
   },
   "submittedBy": {
    "uid": "u_author",
    "keyId": "key_01M7WQRWM81M9P7261M2DQC3KT"
   },
   "decisions": [],
   "execution": null,
   "supersedes": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "decidedAt": null,
   "expiresAt": "2026-11-27T15:04:05.000Z"
  }
 },
 "approvals.submit": {
  "body": {
   "surfaceKind": "email_template",
   "targetId": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ"
  },
  "answer": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63",
   "surfaceKind": "email_template",
   "target": {
    "kind": "template",
    "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ"
   },
   "transition": null,
   "status": "pending",
   "reason": null,
   "contentHash": "a29d8c4986d493d2f4219a2124958a766a3f8d8b54f7ef9282e56a39966ea8b4",
   "summary": "Approve the content: page-1.",
   "note": null,
   "diff": null,
   "rule": {
    "minApprovals": 1,
    "reviewers": []
   },
   "submittedBy": {
    "uid": "u_ada",
    "keyId": "key_01M7WQRWM81M9P7261M2DQC3KT"
   },
   "decisions": [],
   "execution": null,
   "supersedes": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "decidedAt": null,
   "expiresAt": "2026-11-27T15:04:05.000Z"
  }
 },
 "approvals.withdraw": {
  "params": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63"
  },
  "body": {},
  "answer": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63",
   "surfaceKind": "email_template",
   "target": {
    "kind": "template",
    "id": "tpl_01M7WQRWM8B6MPW5TA1NV1PQGZ"
   },
   "transition": null,
   "status": "withdrawn",
   "reason": null,
   "contentHash": "3f9b8cee24fffcf1f9806a27df57ddc1967493a65ee16bcabf3a6b9f01daf9c9",
   "summary": "Approve a content: welcome-1.",
   "note": null,
   "diff": [
    {
     "path": "subject",
     "before": "Hi",
     "after": "Hello-1"
    }
   ],
   "rule": {
    "minApprovals": 1,
    "reviewers": []
   },
   "submittedBy": {
    "uid": "u_author",
    "keyId": "key_01M7WQRWM81M9P7261M2DQC3KT"
   },
   "decisions": [],
   "execution": null,
   "supersedes": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "decidedAt": "2026-11-20T15:04:05.000Z",
   "expiresAt": "2026-11-27T15:04:05.000Z"
  }
 },
 "assets.create": {
  "body": {
   "name": "Logo-1",
   "dataBase64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
   "tags": [
    "logo"
   ],
   "alt": "A pixel"
  },
  "answer": {
   "assetId": "asset_01M7WQRWM8EXJAZKTG6AJ2ZWX8",
   "name": "Logo-1",
   "kind": "image",
   "contentType": "image/png",
   "bytes": 70,
   "width": 1,
   "height": 1,
   "durationMs": null,
   "sha256": "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0",
   "alt": "A pixel",
   "tags": [
    "logo"
   ],
   "source": "upload",
   "status": "ready",
   "error": null,
   "sandbox": false,
   "url": "/assets/r01M7WQRWM88FMAAX7QZ9MPEMGJtouxut-50Ue7odGzVO6zZ5BVyPexw",
   "urlExpiresAt": "2026-11-21T15:04:05.000Z",
   "createdAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "assets.delete": {
  "params": {
   "assetId": "asset_01M7WQRWM8EXJAZKTG6AJ2ZWX8"
  },
  "answer": {
   "assetId": "asset_01M7WQRWM8EXJAZKTG6AJ2ZWX8",
   "deleted": true
  }
 },
 "assets.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "assetId": "asset_01M7WQRWM8EXJAZKTG6AJ2ZWX8",
     "name": "Pixel-3",
     "kind": "image",
     "contentType": "image/png",
     "bytes": 70,
     "width": 1,
     "height": 1,
     "durationMs": null,
     "sha256": "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0",
     "alt": "",
     "tags": [],
     "source": "upload",
     "status": "ready",
     "error": null,
     "sandbox": false,
     "url": "/assets/r01M7WQRWM88FMAAX7QZPFMENS6touxut-6x02PhY3u7Bz1ae49030VQ",
     "urlExpiresAt": "2026-11-21T15:04:05.000Z",
     "createdAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "assetId": "asset_01M7WQRWM8NSF1XXMCVF2RDV20",
     "name": "Logo-1",
     "kind": "image",
     "contentType": "image/png",
     "bytes": 70,
     "width": 1,
     "height": 1,
     "durationMs": null,
     "sha256": "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0",
     "alt": "A pixel",
     "tags": [
      "logo"
     ],
     "source": "upload",
     "status": "ready",
     "error": null,
     "sandbox": false,
     "url": "/assets/r01M7WQRWM88FMAAX7QZEJ4S4Q7touxut-hH1gW1d8almtiLRVQ_Inuw",
     "urlExpiresAt": "2026-11-21T15:04:05.000Z",
     "createdAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJhc3NldHMubGlzdCIsMTc5NTE4NzA0NTAwMCwiYXNzZXRfMDFNN1dRUldNOE5TRjFYWE1DVkYyUkRWMjAiXQ"
  }
 },
 "assets.read": {
  "params": {
   "assetId": "asset_01M7WQRWM8EXJAZKTG6AJ2ZWX8"
  },
  "answer": {
   "assetId": "asset_01M7WQRWM8EXJAZKTG6AJ2ZWX8",
   "name": "Pixel-1",
   "kind": "image",
   "contentType": "image/png",
   "bytes": 70,
   "width": 1,
   "height": 1,
   "durationMs": null,
   "sha256": "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0",
   "alt": "",
   "tags": [],
   "source": "upload",
   "status": "ready",
   "error": null,
   "sandbox": false,
   "url": "/assets/r01M7WQRWM88FMAAX7QYZD5MA4Btouxut-7L9lxtB5n0t7yzFhp38cqQ",
   "urlExpiresAt": "2026-11-21T15:04:05.000Z",
   "createdAt": "2026-11-20T15:04:05.000Z"
  }
 },
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
 "blog.create": {
  "body": {
   "title": "A starter that survives your holiday",
   "body": "Two weeks away, and the starter lives.\n\n## In the fridge\n\nFeed it, wait an hour, then close the jar.",
   "tags": [
    "sourdough"
   ]
  },
  "answer": {
   "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
   "slug": "a-starter-that-survives-your-holiday",
   "title": "A starter that survives your holiday",
   "excerpt": null,
   "status": "draft",
   "draft": true,
   "version": 0,
   "seo": {
    "title": null,
    "description": null
   },
   "coverAssetId": null,
   "tags": [
    "sourdough"
   ],
   "authorUid": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "url": null,
   "previewUrl": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null,
   "body": "Two weeks away, and the starter lives.\n\n## In the fridge\n\nFeed it, wait an hour, then close the jar."
  }
 },
 "blog.delete": {
  "params": {
   "idOrSlug": "blog_01M7WQRWM84ESSR8VKB2DZPJNF"
  },
  "answer": {
   "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
   "deleted": true
  }
 },
 "blog.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
     "slug": "starter-9",
     "title": "Starter-9",
     "excerpt": null,
     "status": "draft",
     "draft": true,
     "version": 0,
     "seo": {
      "title": null,
      "description": null
     },
     "coverAssetId": null,
     "tags": [],
     "authorUid": null,
     "approval": null,
     "creationId": null,
     "sandbox": false,
     "url": null,
     "previewUrl": null,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "publishedAt": null
    },
    {
     "id": "blog_01M7WQRWM8HCN7JAWJAPGDFAYR",
     "slug": "starter-7",
     "title": "Starter-7",
     "excerpt": null,
     "status": "unpublished",
     "draft": false,
     "version": 1,
     "seo": {
      "title": null,
      "description": null
     },
     "coverAssetId": null,
     "tags": [],
     "authorUid": null,
     "approval": null,
     "creationId": null,
     "sandbox": false,
     "url": null,
     "previewUrl": null,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "publishedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJibG9nLmxpc3QiLDE3OTUxODcwNDUwMDAsImJsb2dfMDFNN1dRUldNOEhDTjdKQVdKQVBHREZBWVIiXQ"
  }
 },
 "blog.publish": {
  "params": {
   "idOrSlug": "blog_01M7WQRWM84ESSR8VKB2DZPJNF"
  },
  "body": {},
  "answer": {
   "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
   "slug": "starter-1",
   "title": "Starter-1",
   "excerpt": null,
   "status": "published",
   "draft": false,
   "version": 1,
   "seo": {
    "title": null,
    "description": null
   },
   "coverAssetId": null,
   "tags": [],
   "authorUid": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "url": null,
   "previewUrl": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": "2026-11-20T15:04:05.000Z",
   "body": "Feed the starter, then put it into the fridge. It sleeps there for **two weeks**."
  }
 },
 "blog.read": {
  "params": {
   "idOrSlug": "blog_01M7WQRWM84ESSR8VKB2DZPJNF"
  },
  "answer": {
   "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
   "slug": "starter-1",
   "title": "Starter-1",
   "excerpt": null,
   "status": "draft",
   "draft": true,
   "version": 0,
   "seo": {
    "title": null,
    "description": null
   },
   "coverAssetId": null,
   "tags": [],
   "authorUid": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "url": null,
   "previewUrl": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null,
   "body": "Feed the starter, then put it into the fridge. It sleeps there for **two weeks**."
  }
 },
 "blog.unpublish": {
  "params": {
   "idOrSlug": "blog_01M7WQRWM84ESSR8VKB2DZPJNF"
  },
  "answer": {
   "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
   "slug": "starter-1",
   "title": "Starter-1",
   "excerpt": null,
   "status": "unpublished",
   "draft": false,
   "version": 1,
   "seo": {
    "title": null,
    "description": null
   },
   "coverAssetId": null,
   "tags": [],
   "authorUid": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "url": null,
   "previewUrl": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": "2026-11-20T15:04:05.000Z",
   "body": "Feed the starter, then put it into the fridge. It sleeps there for **two weeks**."
  }
 },
 "blog.update": {
  "params": {
   "idOrSlug": "blog_01M7WQRWM84ESSR8VKB2DZPJNF"
  },
  "body": {
   "title": "Two weeks away",
   "tags": [
    "sourdough",
    "fridge"
   ]
  },
  "answer": {
   "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
   "slug": "starter-1",
   "title": "Two weeks away",
   "excerpt": null,
   "status": "draft",
   "draft": true,
   "version": 0,
   "seo": {
    "title": null,
    "description": null
   },
   "coverAssetId": null,
   "tags": [
    "sourdough",
    "fridge"
   ],
   "authorUid": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "url": null,
   "previewUrl": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null,
   "body": "Feed the starter, then put it into the fridge. It sleeps there for **two weeks**."
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
     "name": "Brand-4",
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
 "campaigns.planned": {
  "body": {
   "name": "Spring news-1",
   "scheduleAt": "2026-11-27T15:04:05.000Z",
   "timezone": "Europe/Berlin",
   "description": "The new chairs, and the open day."
  },
  "answer": {
   "campaignId": "cam_01M7WQRWM8RM30QKJDHBH5XX8M",
   "name": "Spring news-1",
   "scheduleAt": "2026-11-27T15:04:05.000Z",
   "timezone": "Europe/Berlin",
   "description": "The new chairs, and the open day.",
   "status": "planned",
   "templateKey": null,
   "creationId": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "campaigns.planned_cancel": {
  "params": {
   "campaignId": "cam_01M7WQRWM8RM30QKJDHBH5XX8M"
  },
  "answer": {
   "campaignId": "cam_01M7WQRWM8RM30QKJDHBH5XX8M",
   "name": "Spring news",
   "scheduleAt": "2026-11-27T15:04:05.000Z",
   "timezone": "Europe/Berlin",
   "description": null,
   "status": "canceled",
   "templateKey": null,
   "creationId": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "campaigns.planned_read": {
  "params": {
   "campaignId": "cam_01M7WQRWM8RM30QKJDHBH5XX8M"
  },
  "answer": {
   "campaignId": "cam_01M7WQRWM8RM30QKJDHBH5XX8M",
   "name": "Spring news",
   "scheduleAt": "2026-11-27T15:04:05.000Z",
   "timezone": "Europe/Berlin",
   "description": null,
   "status": "planned",
   "templateKey": null,
   "creationId": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "campaigns.planned_update": {
  "params": {
   "campaignId": "cam_01M7WQRWM8RM30QKJDHBH5XX8M"
  },
  "body": {
   "name": "Summer news",
   "timezone": "Europe/Vienna"
  },
  "answer": {
   "campaignId": "cam_01M7WQRWM8RM30QKJDHBH5XX8M",
   "name": "Summer news",
   "scheduleAt": "2026-11-27T15:04:05.000Z",
   "timezone": "Europe/Vienna",
   "description": null,
   "status": "planned",
   "templateKey": null,
   "creationId": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "connectors.catalog": {
  "query": {
   "limit": "2"
  },
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
    },
    {
     "kind": "social",
     "provider": "x",
     "name": "X (capture)",
     "credentials": {
      "type": "object",
      "properties": {},
      "additionalProperties": false
     },
     "options": {
      "type": "object",
      "properties": {
       "displayName": {
        "default": "Acme",
        "type": "string",
        "minLength": 1,
        "maxLength": 100
       },
       "handle": {
        "default": "acme",
        "type": "string",
        "pattern": "^[^@\\s]{1,60}$"
       }
      },
      "additionalProperties": false
     }
    }
   ],
   "next_cursor": "WyJjb25uZWN0b3JzLmNhdGFsb2ciLDEsIngiXQ"
  }
 },
 "connectors.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
     "kind": "social",
     "provider": "bluesky",
     "name": "Northwind",
     "status": "connected",
     "lastUsedAt": null,
     "createdAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "con_01M7WQRWM8BEYDVA9V5T7Q1BXE",
     "kind": "social",
     "provider": "x",
     "name": "Northwind",
     "status": "connected",
     "lastUsedAt": null,
     "createdAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJjb25uZWN0b3JzLmxpc3QiLDE3OTUxODcwNDUwMDAsImNvbl8wMU03V1FSV004QkVZRFZBOVY1VDdRMUJYRSJd"
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
     "external_id": "user-5",
     "email": "person-5@example.com",
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
 "content_plan.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "kind": "blog_post",
     "id": "blog_01M7WQRWM84ESSR8VKB2DZPJNF",
     "title": "Starter-5",
     "at": "2026-11-20T15:04:05.000Z",
     "status": "published",
     "channels": [
      "blog"
     ]
    },
    {
     "kind": "page",
     "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
     "title": "Our sourdough course",
     "at": "2026-11-20T15:04:05.000Z",
     "status": "published",
     "channels": [
      "page"
     ]
    }
   ],
   "next_cursor": "WyJjb250ZW50X3BsYW4ubGlzdCIsMTc5NTE4NzA0NTAwMCwicGdfMDFNN1dRUldNOEsyRDhBSEg1TlFFNUZFQlIiXQ"
  }
 },
 "content_plan.news": {
  "answer": {
   "data": [
    {
     "newsId": "news_01M7WQRWM8K7RX90XC33KSRQBD",
     "title": "Rye is scarce",
     "url": "https://news.example/rye-1",
     "source": "Grain today",
     "excerpt": "The harvest was poor.",
     "publishedAt": "2026-11-20T15:04:05.000Z",
     "score": 1,
     "myVote": "up"
    }
   ],
   "next_cursor": null
  }
 },
 "content_plan.news_vote": {
  "params": {
   "newsId": "news_01M7WQRWM8K7RX90XC33KSRQBD"
  },
  "body": {
   "vote": "up"
  },
  "answer": {
   "newsId": "news_01M7WQRWM8K7RX90XC33KSRQBD",
   "title": "Rye is scarce",
   "url": "https://news.example/rye-1",
   "source": "Grain today",
   "excerpt": "The harvest was poor.",
   "publishedAt": "2026-11-20T15:04:05.000Z",
   "score": 1,
   "myVote": "up"
  }
 },
 "content_plan.plan_week": {
  "body": {
   "weekOf": "2026-11-30",
   "channels": [
    "x"
   ],
   "brief": "Bookings of the rye course open.",
   "postsPerChannel": 2
  },
  "answer": {
   "runId": "plan_01M7WQRWM8MPRMG7ZF37QENNVV",
   "weekOf": "2026-11-30",
   "timezone": "UTC",
   "status": "queued",
   "channels": [
    "x"
   ],
   "brief": "Bookings of the rye course open.",
   "postsPerChannel": 2,
   "gates": [
    {
     "gate": "themes",
     "status": "pending",
     "comment": null,
     "proposal": null
    },
    {
     "gate": "slots",
     "status": "pending",
     "comment": null,
     "proposal": null
    }
   ],
   "results": [],
   "leftOut": [],
   "credits": {
    "price": 0,
    "charged": 0
   },
   "error": null,
   "expiresAt": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "content_plan.run_decide": {
  "params": {
   "runId": "plan_01M7WQRWM8MPRMG7ZF37QENNVV"
  },
  "body": {
   "gate": "themes",
   "decision": "approve",
   "edits": [
    {
     "id": "t1",
     "title": "The rye course"
    }
   ]
  },
  "answer": {
   "runId": "plan_01M7WQRWM8MPRMG7ZF37QENNVV",
   "weekOf": "2027-08-23",
   "timezone": "UTC",
   "status": "planning",
   "channels": [
    "x"
   ],
   "brief": "Bookings open.",
   "postsPerChannel": 1,
   "gates": [
    {
     "gate": "themes",
     "status": "approved",
     "comment": null,
     "proposal": [
      {
       "id": "t1",
       "title": "The rye course",
       "reason": "Bookings open.",
       "newsId": null
      }
     ]
    },
    {
     "gate": "slots",
     "status": "pending",
     "comment": null,
     "proposal": null
    }
   ],
   "results": [],
   "leftOut": [],
   "credits": {
    "price": 0,
    "charged": 0
   },
   "error": null,
   "expiresAt": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "content_plan.run_read": {
  "params": {
   "runId": "plan_01M7WQRWM8MPRMG7ZF37QENNVV"
  },
  "answer": {
   "runId": "plan_01M7WQRWM8MPRMG7ZF37QENNVV",
   "weekOf": "2027-08-23",
   "timezone": "UTC",
   "status": "awaiting_decision",
   "channels": [
    "x"
   ],
   "brief": "Bookings open.",
   "postsPerChannel": 1,
   "gates": [
    {
     "gate": "themes",
     "status": "pending",
     "comment": null,
     "proposal": [
      {
       "id": "t1",
       "title": "The new rye course",
       "reason": "Bookings open.",
       "newsId": null
      }
     ]
    },
    {
     "gate": "slots",
     "status": "pending",
     "comment": null,
     "proposal": null
    }
   ],
   "results": [],
   "leftOut": [],
   "credits": {
    "price": 0,
    "charged": 0
   },
   "error": null,
   "expiresAt": "2026-11-21T15:04:05.000Z",
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "content_plan.runs": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "runId": "plan_01M7WQRWM8MPRMG7ZF37QENNVV",
     "weekOf": "2027-08-23",
     "timezone": "UTC",
     "status": "awaiting_decision",
     "channels": [
      "x"
     ],
     "brief": "Bookings open.",
     "postsPerChannel": 1,
     "gates": [
      {
       "gate": "themes",
       "status": "approved",
       "comment": null,
       "proposal": [
        {
         "id": "t1",
         "title": "The rye course",
         "reason": "Bookings open.",
         "newsId": null
        }
       ]
      },
      {
       "gate": "slots",
       "status": "pending",
       "comment": null,
       "proposal": [
        {
         "id": "s1",
         "channel": "x",
         "at": "2027-08-23T10:00:00.000Z",
         "theme": "t1",
         "idea": "The rye course"
        }
       ]
      }
     ],
     "results": [],
     "leftOut": [],
     "credits": {
      "price": 0,
      "charged": 0
     },
     "error": null,
     "expiresAt": "2026-12-04T15:04:05.000Z",
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "runId": "plan_01M7WQRWM8PE3YENQA7M7F0TG0",
     "weekOf": "2027-08-23",
     "timezone": "UTC",
     "status": "awaiting_decision",
     "channels": [
      "x"
     ],
     "brief": "Bookings open.",
     "postsPerChannel": 1,
     "gates": [
      {
       "gate": "themes",
       "status": "pending",
       "comment": null,
       "proposal": [
        {
         "id": "t1",
         "title": "The new rye course",
         "reason": "Bookings open.",
         "newsId": null
        }
       ]
      },
      {
       "gate": "slots",
       "status": "pending",
       "comment": null,
       "proposal": null
      }
     ],
     "results": [],
     "leftOut": [],
     "credits": {
      "price": 0,
      "charged": 0
     },
     "error": null,
     "expiresAt": "2026-11-21T15:04:05.000Z",
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJjb250ZW50X3BsYW4ucnVucyIsMTc5NTE4NzA0NTAwMCwicGxhbl8wMU03V1FSV004UEUzWUVOUUE3TTdGMFRHMCJd"
  }
 },
 "creations.approve_strategy": {
  "params": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X"
  },
  "body": {},
  "answer": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
   "name": "Course-1",
   "status": "building",
   "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
   "objective": "40 bookings",
   "icpId": null,
   "startsAt": null,
   "endsAt": null,
   "credits": {
    "price": 1,
    "charged": 0
   },
   "itemCounts": {
    "planned": 1,
    "building": 0,
    "built": 0,
    "failed": 0,
    "skipped": 0
   },
   "utmCampaign": "course-1",
   "revision": 0,
   "error": null,
   "approval": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "strategy": {
    "summary": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
    "messages": [
     "Six evenings."
    ],
    "channels": [],
    "calendar": []
   },
   "items": [
    {
     "itemId": "itm_01M7WQRWM8SE49PJ5TPBV97T34",
     "kind": "link",
     "channel": null,
     "purpose": "The link of the campaign.",
     "at": null,
     "status": "planned",
     "target": null,
     "price": 1,
     "error": null
    }
   ]
  },
  "credits": 1
 },
 "creations.cancel": {
  "params": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X"
  },
  "answer": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
   "name": "Course-1",
   "status": "canceled",
   "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
   "objective": "40 bookings",
   "icpId": null,
   "startsAt": null,
   "endsAt": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "itemCounts": {
    "planned": 0,
    "building": 0,
    "built": 0,
    "failed": 0,
    "skipped": 1
   },
   "utmCampaign": "course-1",
   "revision": 0,
   "error": null,
   "approval": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "strategy": {
    "summary": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
    "messages": [
     "Six evenings."
    ],
    "channels": [],
    "calendar": []
   },
   "items": [
    {
     "itemId": "itm_01M7WQRWM8SE49PJ5TPBV97T34",
     "kind": "link",
     "channel": null,
     "purpose": "The link of the campaign.",
     "at": null,
     "status": "skipped",
     "target": null,
     "price": 1,
     "error": null
    }
   ]
  }
 },
 "creations.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
     "name": "Course-10",
     "status": "ready",
     "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
     "objective": "40 bookings",
     "icpId": null,
     "startsAt": null,
     "endsAt": null,
     "credits": {
      "price": 0,
      "charged": 0
     },
     "itemCounts": {
      "planned": 0,
      "building": 0,
      "built": 0,
      "failed": 0,
      "skipped": 1
     },
     "utmCampaign": "course-10",
     "revision": 0,
     "error": null,
     "approval": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "creationId": "cre_01M7WQRWM81DF28R4093EB8AF9",
     "name": "Course-8",
     "status": "ready",
     "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
     "objective": "40 bookings",
     "icpId": null,
     "startsAt": null,
     "endsAt": null,
     "credits": {
      "price": 1,
      "charged": 1
     },
     "itemCounts": {
      "planned": 0,
      "building": 0,
      "built": 1,
      "failed": 0,
      "skipped": 0
     },
     "utmCampaign": "course-8",
     "revision": 0,
     "error": null,
     "approval": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJjcmVhdGlvbnMubGlzdCIsMTc5NTE4NzA0NTAwMCwiY3JlXzAxTTdXUVJXTTgxREYyOFI0MDkzRUI4QUY5Il0"
  }
 },
 "creations.read": {
  "params": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X"
  },
  "query": {
   "detail": "full"
  },
  "answer": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
   "name": "Course-1",
   "status": "ready",
   "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
   "objective": "40 bookings",
   "icpId": null,
   "startsAt": null,
   "endsAt": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "itemCounts": {
    "planned": 0,
    "building": 0,
    "built": 0,
    "failed": 0,
    "skipped": 1
   },
   "utmCampaign": "course-1",
   "revision": 0,
   "error": null,
   "approval": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "strategy": {
    "summary": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
    "messages": [
     "Six evenings."
    ],
    "channels": [],
    "calendar": []
   },
   "items": [
    {
     "itemId": "itm_01M7WQRWM8SE49PJ5TPBV97T34",
     "kind": "link",
     "channel": null,
     "purpose": "The link of the campaign.",
     "at": null,
     "status": "skipped",
     "target": null,
     "price": 1,
     "error": null
    }
   ]
  }
 },
 "creations.reject_strategy": {
  "params": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X"
  },
  "body": {
   "revise": true,
   "comment": "Fewer posts, and mention the open day."
  },
  "answer": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
   "name": "Course-1",
   "status": "drafting_strategy",
   "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
   "objective": "40 bookings",
   "icpId": null,
   "startsAt": null,
   "endsAt": null,
   "credits": {
    "price": 1,
    "charged": 0
   },
   "itemCounts": {
    "planned": 1,
    "building": 0,
    "built": 0,
    "failed": 0,
    "skipped": 0
   },
   "utmCampaign": "course-1",
   "revision": 1,
   "error": null,
   "approval": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "strategy": {
    "summary": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
    "messages": [
     "Six evenings."
    ],
    "channels": [],
    "calendar": []
   },
   "items": [
    {
     "itemId": "itm_01M7WQRWM8SE49PJ5TPBV97T34",
     "kind": "link",
     "channel": null,
     "purpose": "The link of the campaign.",
     "at": null,
     "status": "planned",
     "target": null,
     "price": 1,
     "error": null
    }
   ]
  }
 },
 "creations.retry_item": {
  "params": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
   "itemId": "itm_01M7WQRWM8SE49PJ5TPBV97T34"
  },
  "answer": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
   "name": "Course-1",
   "status": "building",
   "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
   "objective": "40 bookings",
   "icpId": null,
   "startsAt": null,
   "endsAt": null,
   "credits": {
    "price": 1,
    "charged": 0
   },
   "itemCounts": {
    "planned": 1,
    "building": 0,
    "built": 0,
    "failed": 0,
    "skipped": 0
   },
   "utmCampaign": "course-1",
   "revision": 0,
   "error": null,
   "approval": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "strategy": {
    "summary": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
    "messages": [
     "Six evenings."
    ],
    "channels": [],
    "calendar": []
   },
   "items": [
    {
     "itemId": "itm_01M7WQRWM8SE49PJ5TPBV97T34",
     "kind": "link",
     "channel": null,
     "purpose": "The link of the campaign.",
     "at": null,
     "status": "planned",
     "target": null,
     "price": 1,
     "error": null
    }
   ]
  },
  "credits": 1
 },
 "creations.spawn": {
  "body": {
   "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
   "objective": "40 bookings",
   "channels": [
    "email"
   ],
   "name": "Spring-1"
  },
  "answer": {
   "creationId": "cre_01M7WQRWM8M20C19G9PP5M6A4X",
   "name": "Spring-1",
   "status": "drafting_strategy",
   "brief": "Our sourdough course for beginners starts in March. Six evenings, all flour included. See https://example.com/course.",
   "objective": "40 bookings",
   "icpId": null,
   "startsAt": null,
   "endsAt": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "itemCounts": {
    "planned": 0,
    "building": 0,
    "built": 0,
    "failed": 0,
    "skipped": 0
   },
   "utmCampaign": "spring-1-s4q7",
   "revision": 0,
   "error": null,
   "approval": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "strategy": null,
   "items": []
  }
 },
 "designs.create": {
  "body": {
   "cropPresetId": "og-image",
   "brief": "\"Spring sale-1\" 20 % off all chairs until Sunday."
  },
  "answer": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB",
   "name": "Spring sale-1",
   "width": 1200,
   "height": 630,
   "cropPresetId": "og-image",
   "brandId": null,
   "layers": [
    {
     "id": "lay_01M7WQRWM8Y3R2NSV7XKRWDDGE",
     "x": 0,
     "y": 0,
     "width": 1200,
     "height": 630,
     "rotation": 0,
     "opacity": 1,
     "kind": "shape",
     "shape": "rect",
     "fill": "#1f3a5f",
     "stroke": null
    },
    {
     "id": "lay_01M7WQRWM8RA2QJBRSQTY1YX6Z",
     "x": 796,
     "y": 239,
     "width": 651,
     "height": 651,
     "rotation": 0,
     "opacity": 0.35,
     "kind": "shape",
     "shape": "ellipse",
     "fill": "#5b6b7f",
     "stroke": null
    },
    {
     "id": "lay_01M7WQRWM8Z11BVWVXFZF20HX4",
     "x": 1044,
     "y": 470,
     "width": 195,
     "height": 195,
     "rotation": 0,
     "opacity": 1,
     "kind": "shape",
     "shape": "ellipse",
     "fill": "#b4541a",
     "stroke": null
    },
    {
     "id": "lay_01M7WQRWM8QRV99HWF4EP0SEP1",
     "x": 96,
     "y": 179,
     "width": 76,
     "height": 8,
     "rotation": 0,
     "opacity": 1,
     "kind": "shape",
     "shape": "rect",
     "fill": "#b4541a",
     "stroke": null
    },
    {
     "id": "lay_01M7WQRWM8WY59JYVECCT8847X",
     "x": 96,
     "y": 215,
     "width": 827,
     "height": 143,
     "rotation": 0,
     "opacity": 1,
     "kind": "text",
     "text": "Spring sale-1",
     "font": {
      "family": "Helvetica",
      "fallback": "sans"
     },
     "size": 119,
     "weight": 700,
     "colour": "#ffffff",
     "align": "left"
    },
    {
     "id": "lay_01M7WQRWM8MECX8BBHY24Z1CZD",
     "x": 96,
     "y": 386,
     "width": 827,
     "height": 65,
     "rotation": 0,
     "opacity": 1,
     "kind": "text",
     "text": "20 % off all chairs until Sunday",
     "font": {
      "family": "Helvetica",
      "fallback": "sans"
     },
     "size": 54,
     "weight": 400,
     "colour": "#ffffff",
     "align": "left"
    }
   ],
   "version": 1,
   "thumbnailUrl": "/thumbnails/01M7WQRWM88FMAAX7QZWPFX4T3-1-enYwqQ2vUz95YqfVIWceqQ",
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  },
  "credits": 3
 },
 "designs.delete": {
  "params": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB"
  },
  "answer": {
   "id": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB",
   "deleted": true
  }
 },
 "designs.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB",
     "name": "Spring sale-8",
     "width": 1128,
     "height": 191,
     "cropPresetId": "li-cover",
     "brandId": null,
     "layers": [
      {
       "id": "ground",
       "x": 0,
       "y": 0,
       "width": 1128,
       "height": 191,
       "rotation": 0,
       "opacity": 1,
       "kind": "shape",
       "shape": "rect",
       "fill": "#1c5a44",
       "stroke": null
      },
      {
       "id": "title",
       "x": 40,
       "y": 56,
       "width": 700,
       "height": 80,
       "rotation": 0,
       "opacity": 1,
       "kind": "text",
       "text": "Spring sale",
       "font": {
        "family": "Helvetica",
        "fallback": "sans"
       },
       "size": 64,
       "weight": 700,
       "colour": "#1d2129",
       "align": "left"
      }
     ],
     "version": 2,
     "thumbnailUrl": "/thumbnails/01M7WQRWM88FMAAX7R2CPXXDTE-2-ud4VnsffR2YbyCx7CpGaUA",
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "compositionId": "cmp_01M7WQRWM8ZG4BQ3NH2P70EAZX",
     "name": "Spring sale-6",
     "width": 1128,
     "height": 191,
     "cropPresetId": "li-cover",
     "brandId": null,
     "layers": [
      {
       "id": "ground",
       "x": 0,
       "y": 0,
       "width": 1128,
       "height": 191,
       "rotation": 0,
       "opacity": 1,
       "kind": "shape",
       "shape": "rect",
       "fill": "#1c5a44",
       "stroke": null
      },
      {
       "id": "title",
       "x": 40,
       "y": 56,
       "width": 700,
       "height": 80,
       "rotation": 0,
       "opacity": 1,
       "kind": "text",
       "text": "Spring sale",
       "font": {
        "family": "Helvetica",
        "fallback": "sans"
       },
       "size": 64,
       "weight": 700,
       "colour": "#1d2129",
       "align": "left"
      }
     ],
     "version": 2,
     "thumbnailUrl": "/thumbnails/01M7WQRWM88FMAAX7R1MXT56T5-2-87WK6yRtSfgbVPEud_ZK9w",
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJkZXNpZ25zLmxpc3QiLDE3OTUxODcwNDUwMDAsImNtcF8wMU03V1FSV004Wkc0QlEzTkgyUDcwRUFaWCJd"
  }
 },
 "designs.read": {
  "params": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB"
  },
  "answer": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB",
   "name": "Spring sale-1",
   "width": 1128,
   "height": 191,
   "cropPresetId": "li-cover",
   "brandId": null,
   "layers": [
    {
     "id": "ground",
     "x": 0,
     "y": 0,
     "width": 1128,
     "height": 191,
     "rotation": 0,
     "opacity": 1,
     "kind": "shape",
     "shape": "rect",
     "fill": "#1c5a44",
     "stroke": null
    },
    {
     "id": "title",
     "x": 40,
     "y": 56,
     "width": 700,
     "height": 80,
     "rotation": 0,
     "opacity": 1,
     "kind": "text",
     "text": "Spring sale",
     "font": {
      "family": "Helvetica",
      "fallback": "sans"
     },
     "size": 64,
     "weight": 700,
     "colour": "#1d2129",
     "align": "left"
    }
   ],
   "version": 2,
   "thumbnailUrl": "/thumbnails/01M7WQRWM88FMAAX7QYZD5MA4B-2-RuXlM5n5ByTZUfCyhuXOiQ",
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "designs.render": {
  "params": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB"
  },
  "body": {
   "format": "svg"
  },
  "answer": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB",
   "format": "svg",
   "contentType": "image/svg+xml",
   "width": 1128,
   "height": 191,
   "bytes": 390,
   "dataBase64": "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHhtbG5zOnhsaW5rPSJodHRwOi8vd3d3LnczLm9yZy8xOTk5L3hsaW5rIiB3aWR0aD0iMTEyOCIgaGVpZ2h0PSIxOTEiIHZpZXdCb3g9IjAg…",
   "assetId": null,
   "creditsCharged": 0
  }
 },
 "designs.sizes": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "cropPresetId": "ig-square",
     "name": "Instagram square",
     "width": 1080,
     "height": 1080,
     "channelId": "instagram"
    },
    {
     "cropPresetId": "ig-portrait",
     "name": "Instagram portrait",
     "width": 1080,
     "height": 1350,
     "channelId": "instagram"
    }
   ],
   "next_cursor": "WyJkZXNpZ25zLnNpemVzIiwxLCJpZy1wb3J0cmFpdCJd"
  }
 },
 "designs.update": {
  "params": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB"
  },
  "body": {
   "name": "Summer sale-1",
   "layers": [
    {
     "id": "ground",
     "kind": "shape",
     "shape": "rect",
     "x": 0,
     "y": 0,
     "width": 1128,
     "height": 191,
     "fill": "#1c5a44"
    },
    {
     "id": "title",
     "kind": "text",
     "text": "Spring sale",
     "x": 40,
     "y": 56,
     "width": 700,
     "height": 80,
     "size": 64,
     "weight": 700
    }
   ]
  },
  "answer": {
   "compositionId": "cmp_01M7WQRWM8WQA6G3H6CFGM2FEB",
   "name": "Summer sale-1",
   "width": 1128,
   "height": 191,
   "cropPresetId": "li-cover",
   "brandId": null,
   "layers": [
    {
     "id": "ground",
     "x": 0,
     "y": 0,
     "width": 1128,
     "height": 191,
     "rotation": 0,
     "opacity": 1,
     "kind": "shape",
     "shape": "rect",
     "fill": "#1c5a44",
     "stroke": null
    },
    {
     "id": "title",
     "x": 40,
     "y": 56,
     "width": 700,
     "height": 80,
     "rotation": 0,
     "opacity": 1,
     "kind": "text",
     "text": "Spring sale",
     "font": {
      "family": "Helvetica",
      "fallback": "sans"
     },
     "size": 64,
     "weight": 700,
     "colour": "#1d2129",
     "align": "left"
    }
   ],
   "version": 3,
   "thumbnailUrl": "/thumbnails/01M7WQRWM88FMAAX7QZ9MPEMGJ-3-XwyICwbQDQjrCrOpJLaZTA",
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
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
   "html": "<!doctype html>\n<html dir=\"auto\" xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\">…",
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
      "assets:read",
      "assets:write",
      "brand:read",
      "brand:write",
      "templates:read",
      "templates:write",
      "templates:propose",
      "templates:send",
      "suppressions:read",
      "suppressions:write",
      "suppressions:bypass",
      "connectors:read",
      "sends:read",
      "contacts:read",
      "contacts:write",
      "contacts:erase",
      "lists:read",
      "lists:write",
      "events:write",
      "links:read",
      "links:write",
      "webhooks:manage",
      "approvals:read",
      "approvals:submit",
      "approvals:write",
      "messaging.transactional.read",
      "messaging.transactional.send",
      "social:posts:read",
      "social:posts:write",
      "social:posts:publish",
      "campaigns:read",
      "campaigns:write",
      "sequences:read",
      "sequences:write",
      "sequences:trigger",
      "flows:enroll",
      "marketing:read",
      "marketing:write",
      "compositions:read",
      "compositions:write",
      "pages:read",
      "pages:write",
      "pages:publish",
      "pages:export"
     ],
     "preset": "full",
     "created_at": "2026-11-20T15:04:05.000Z",
     "last_used_at": null,
     "expires_at": null,
     "revoked_at": null,
     "created_by": null,
     "members": [
      "u_ada"
     ]
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
      "assets:read",
      "assets:write",
      "brand:read",
      "brand:write",
      "templates:read",
      "templates:write",
      "templates:propose",
      "templates:send",
      "suppressions:read",
      "suppressions:write",
      "suppressions:bypass",
      "connectors:read",
      "sends:read",
      "contacts:read",
      "contacts:write",
      "contacts:erase",
      "lists:read",
      "lists:write",
      "events:write",
      "links:read",
      "links:write",
      "webhooks:manage",
      "approvals:read",
      "approvals:submit",
      "approvals:write",
      "messaging.transactional.read",
      "messaging.transactional.send",
      "social:posts:read",
      "social:posts:write",
      "social:posts:publish",
      "campaigns:read",
      "campaigns:write",
      "sequences:read",
      "sequences:write",
      "sequences:trigger",
      "flows:enroll",
      "marketing:read",
      "marketing:write",
      "compositions:read",
      "compositions:write",
      "pages:read",
      "pages:write",
      "pages:publish",
      "pages:export"
     ],
     "preset": "full",
     "created_at": "2026-11-20T15:04:05.000Z",
     "last_used_at": null,
     "expires_at": null,
     "revoked_at": null,
     "created_by": null,
     "members": [
      "u_ada"
     ]
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
    "assets:read",
    "brand:read",
    "templates:read",
    "suppressions:read",
    "connectors:read",
    "sends:read",
    "contacts:read",
    "lists:read",
    "links:read",
    "approvals:read",
    "messaging.transactional.read",
    "social:posts:read",
    "campaigns:read",
    "sequences:read",
    "marketing:read",
    "compositions:read",
    "pages:read"
   ],
   "preset": "read",
   "created_at": "2026-11-20T15:04:05.000Z",
   "last_used_at": null,
   "expires_at": null,
   "revoked_at": null,
   "created_by": null,
   "members": []
  }
 },
 "lead_magnets.compose": {
  "params": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH"
  },
  "body": {
   "tone": "warm and plain"
  },
  "answer": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH",
   "title": "Sourdough-1",
   "format": "guide",
   "brief": "A guide for people who bake their first bread.",
   "status": "queued",
   "coverPages": 1,
   "brandId": null,
   "contentHash": "a0931818339b67eb281e2d0ccab94dddc75b94f8d2d010efee9407160af179c1",
   "lastExport": null,
   "progress": {
    "phase": "waiting",
    "done": 0,
    "total": 1
   },
   "error": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "chapters": []
  },
  "credits": 20
 },
 "lead_magnets.create": {
  "body": {
   "title": "Sourdough in six evenings",
   "format": "guide",
   "brief": "A guide for people who bake their first sourdough bread. A starter needs a week. Bread needs time."
  },
  "answer": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH",
   "title": "Sourdough in six evenings",
   "format": "guide",
   "brief": "A guide for people who bake their first sourdough bread. A starter needs a week. Bread needs time.",
   "status": "draft",
   "coverPages": 1,
   "brandId": null,
   "contentHash": "6f4dd426592b19976ef8269c0a48bd12c89587f13be4240d358aea62d40c7e86",
   "lastExport": null,
   "progress": null,
   "error": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "chapters": []
  }
 },
 "lead_magnets.delete": {
  "params": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH"
  },
  "answer": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH",
   "deleted": true
  }
 },
 "lead_magnets.export": {
  "params": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH"
  },
  "answer": {
   "assetId": "asset_01M7WQRWM8EXJAZKTG6AJ2ZWX8",
   "url": "/assets/r01M7WQRWM88FMAAX7QZWPFX4T3touxut-Di6b0a14Lrd-YV-nw_RL1g",
   "contentHash": "18ab8a9f14bf7fc5a97c2cf5dfad699e3c925c9882768f06c1f9c31e7054930c",
   "creditsCharged": 5
  },
  "credits": 5
 },
 "lead_magnets.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH",
     "title": "Sourdough-9",
     "format": "guide",
     "brief": "A guide for people who bake their first bread.",
     "status": "draft",
     "coverPages": 1,
     "brandId": null,
     "contentHash": "89086c38b57480133c0f912b371b886c4ee3577c7ec526ec137528ec1bbcb1af",
     "lastExport": null,
     "progress": null,
     "error": null,
     "creationId": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "chapters": []
    },
    {
     "id": "lm_01M7WQRWM8YV3FM51BN6PNJA12",
     "title": "Sourdough for beginners",
     "format": "guide",
     "brief": null,
     "status": "ready",
     "coverPages": 2,
     "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
     "contentHash": "9babd0837d5714b113ba3a9a4766d0def9e11513b0b886ec5bf95000efd8f5d5",
     "lastExport": null,
     "progress": null,
     "error": null,
     "creationId": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "chapters": [
      {
       "heading": "Your starter",
       "summary": "Flour, water and patience."
      }
     ]
    }
   ],
   "next_cursor": "WyJsZWFkX21hZ25ldHMubGlzdCIsMTc5NTE4NzA0NTAwMCwibG1fMDFNN1dRUldNOFlWM0ZNNTFCTjZQTkpBMTIiXQ"
  }
 },
 "lead_magnets.read": {
  "params": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH"
  },
  "answer": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH",
   "title": "Sourdough-1",
   "format": "guide",
   "brief": "A guide for people who bake their first bread.",
   "status": "draft",
   "coverPages": 1,
   "brandId": null,
   "contentHash": "a0931818339b67eb281e2d0ccab94dddc75b94f8d2d010efee9407160af179c1",
   "lastExport": null,
   "progress": null,
   "error": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "chapters": []
  }
 },
 "lead_magnets.update": {
  "params": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH"
  },
  "body": {
   "title": "Sourdough for beginners",
   "coverPages": 2
  },
  "answer": {
   "id": "lm_01M7WQRWM81CE43PJZNNCQ8XQH",
   "title": "Sourdough for beginners",
   "format": "guide",
   "brief": null,
   "status": "ready",
   "coverPages": 2,
   "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "contentHash": "db74253f19551fffcb8f8b6829575c44d7fa737e23303df5cfef4963c4aef80b",
   "lastExport": null,
   "progress": null,
   "error": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "chapters": [
    {
     "heading": "Your starter",
     "summary": "Flour, water and patience.",
     "text": "Feed it **every day**."
    }
   ]
  }
 },
 "links.analytics": {
  "query": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX",
   "days": "7"
  },
  "answer": {
   "cards": [
    {
     "cardKey": "overview",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": [
      {
       "value": "total",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      }
     ]
    },
    {
     "cardKey": "timeseries",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": [
      {
       "value": "2026-11-14",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      },
      {
       "value": "2026-11-15",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      },
      {
       "value": "2026-11-16",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      },
      {
       "value": "2026-11-17",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      },
      {
       "value": "2026-11-18",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      },
      {
       "value": "2026-11-19",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      },
      {
       "value": "2026-11-20",
       "clicks": 0,
       "unique": 0,
       "bots": 0
      }
     ]
    },
    {
     "cardKey": "countries",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    },
    {
     "cardKey": "cities",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    },
    {
     "cardKey": "referrers",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    },
    {
     "cardKey": "devices",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    },
    {
     "cardKey": "browsers",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    },
    {
     "cardKey": "platforms",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    },
    {
     "cardKey": "utm",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    },
    {
     "cardKey": "qr",
     "days": 7,
     "generatedAt": "2026-11-20T15:04:05.000Z",
     "rows": []
    }
   ]
  }
 },
 "links.archive": {
  "params": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX"
  },
  "answer": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX",
   "slug": "qKZcsab",
   "domain": "localhost",
   "redirectUrl": "http://localhost/l/qKZcsab",
   "destinationUrl": "https://example.com/spring",
   "label": "Spring-1",
   "campaignId": null,
   "tags": [
    "newsletter"
   ],
   "expiresAt": null,
   "scheduledGoLiveAt": null,
   "routeRules": [],
   "utm": {},
   "status": "archived",
   "hasPassword": false,
   "sandbox": false,
   "clicks": {
    "total": 0,
    "unique": 0,
    "bots": 0,
    "lastAt": null
   },
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "links.create": {
  "body": {
   "destinationUrl": "https://example.com/spring-sale",
   "slug": "spring-1",
   "label": "Spring sale",
   "tags": [
    "newsletter"
   ],
   "utm": {
    "source": "newsletter",
    "medium": "email",
    "campaign": "spring"
   }
  },
  "answer": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX",
   "slug": "spring-1",
   "domain": "localhost",
   "redirectUrl": "http://localhost/l/spring-1",
   "destinationUrl": "https://example.com/spring-sale",
   "label": "Spring sale",
   "campaignId": null,
   "tags": [
    "newsletter"
   ],
   "expiresAt": null,
   "scheduledGoLiveAt": null,
   "routeRules": [],
   "utm": {
    "source": "newsletter",
    "medium": "email",
    "campaign": "spring"
   },
   "status": "active",
   "hasPassword": false,
   "sandbox": false,
   "clicks": {
    "total": 0,
    "unique": 0,
    "bots": 0,
    "lastAt": null
   },
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  },
  "credits": 1
 },
 "links.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX",
     "slug": "aAGtYPt",
     "domain": "localhost",
     "redirectUrl": "http://localhost/l/aAGtYPt",
     "destinationUrl": "https://example.com/spring",
     "label": "Spring-7",
     "campaignId": null,
     "tags": [
      "newsletter"
     ],
     "expiresAt": null,
     "scheduledGoLiveAt": null,
     "routeRules": [],
     "utm": {},
     "status": "active",
     "hasPassword": false,
     "sandbox": false,
     "clicks": {
      "total": 0,
      "unique": 0,
      "bots": 0,
      "lastAt": null
     },
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "linkId": "lnk_01M7WQRWM8NGJTC5AW4G4PR0MN",
     "slug": "EP93PSD",
     "domain": "localhost",
     "redirectUrl": "http://localhost/l/EP93PSD",
     "destinationUrl": "https://example.com/spring",
     "label": "Spring-5",
     "campaignId": null,
     "tags": [
      "newsletter"
     ],
     "expiresAt": null,
     "scheduledGoLiveAt": null,
     "routeRules": [],
     "utm": {},
     "status": "active",
     "hasPassword": false,
     "sandbox": false,
     "clicks": {
      "total": 0,
      "unique": 0,
      "bots": 0,
      "lastAt": null
     },
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJsaW5rcy5saXN0IiwxNzk1MTg3MDQ1MDAwLCJsbmtfMDFNN1dRUldNOE5HSlRDNUFXNEc0UFIwTU4iXQ"
  }
 },
 "links.read": {
  "params": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX"
  },
  "answer": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX",
   "slug": "qKZcsab",
   "domain": "localhost",
   "redirectUrl": "http://localhost/l/qKZcsab",
   "destinationUrl": "https://example.com/spring",
   "label": "Spring-1",
   "campaignId": null,
   "tags": [
    "newsletter"
   ],
   "expiresAt": null,
   "scheduledGoLiveAt": null,
   "routeRules": [],
   "utm": {},
   "status": "active",
   "hasPassword": false,
   "sandbox": false,
   "clicks": {
    "total": 0,
    "unique": 0,
    "bots": 0,
    "lastAt": null
   },
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "links.update": {
  "params": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX"
  },
  "body": {
   "label": "Spring sale, extended",
   "expiresAt": "2126-06-30T22:00:00Z",
   "tags": [
    "newsletter",
    "spring"
   ]
  },
  "answer": {
   "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX",
   "slug": "qKZcsab",
   "domain": "localhost",
   "redirectUrl": "http://localhost/l/qKZcsab",
   "destinationUrl": "https://example.com/spring",
   "label": "Spring sale, extended",
   "campaignId": null,
   "tags": [
    "newsletter",
    "spring"
   ],
   "expiresAt": "2126-06-30T22:00:00.000Z",
   "scheduledGoLiveAt": null,
   "routeRules": [],
   "utm": {},
   "status": "active",
   "hasPassword": false,
   "sandbox": false,
   "clicks": {
    "total": 0,
    "unique": 0,
    "bots": 0,
    "lastAt": null
   },
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "links.utm_suggestions": {
  "query": {
   "field": "source"
  },
  "answer": {
   "items": [
    {
     "field": "source",
     "value": "newsletter",
     "count": 1
    }
   ]
  }
 },
 "lists.create": {
  "body": {
   "name": "Product news-1",
   "description": "What is new, once a month.",
   "optin": "double"
  },
  "answer": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC",
   "name": "Product news-1",
   "description": "What is new, once a month.",
   "optin": "double",
   "visibility": "private",
   "subscribeUrl": null,
   "contactCount": 0,
   "unconfirmedCount": 0,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "lists.delete": {
  "params": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "answer": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC",
   "deleted": true
  }
 },
 "lists.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC",
     "name": "Newsletter-13",
     "description": "",
     "optin": "single",
     "visibility": "private",
     "subscribeUrl": null,
     "contactCount": 1,
     "unconfirmedCount": 0,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "listId": "lst_01M7WQRWM8E6M7B5Y5NRQHVMMS",
     "name": "Newsletter-11",
     "description": "",
     "optin": "single",
     "visibility": "private",
     "subscribeUrl": null,
     "contactCount": 2,
     "unconfirmedCount": 0,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJsaXN0cy5saXN0IiwxNzk1MTg3MDQ1MDAwLCJsc3RfMDFNN1dRUldNOEU2TTdCNVk1TlJRSFZNTVMiXQ"
  }
 },
 "lists.members": {
  "params": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "answer": {
   "data": [
    {
     "contactId": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
     "email": "reader-3@example.com",
     "external_id": "reader-4",
     "status": "confirmed",
     "source": "api",
     "addedAt": "2026-11-20T15:04:05.000Z",
     "confirmedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "contactId": "con_01M7WQRWM8BEYDVA9V5T7Q1BXE",
     "email": "reader-1@example.com",
     "external_id": "reader-2",
     "status": "confirmed",
     "source": "api",
     "addedAt": "2026-11-20T15:04:05.000Z",
     "confirmedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": null
  }
 },
 "lists.members_add": {
  "params": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "body": {
   "contactIds": [
    "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
    "con_01M7WQRWM8BEYDVA9V5T7Q1BXE"
   ]
  },
  "answer": {
   "added": 2,
   "alreadyMembers": 0,
   "notFound": 0
  }
 },
 "lists.members_remove": {
  "params": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "body": {
   "contactIds": [
    "con_01M7WQRWM8HKBNN9SYRKDYCYB7"
   ]
  },
  "answer": {
   "removed": 1,
   "notMembers": 0
  }
 },
 "lists.read": {
  "params": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "answer": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC",
   "name": "Newsletter-1",
   "description": "",
   "optin": "single",
   "visibility": "private",
   "subscribeUrl": null,
   "contactCount": 0,
   "unconfirmedCount": 0,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "lists.trapped": {
  "params": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "answer": {
   "data": [],
   "next_cursor": null
  }
 },
 "lists.update": {
  "params": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "body": {
   "description": "What is new, twice a month.",
   "visibility": "public"
  },
  "answer": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC",
   "name": "Newsletter-1",
   "description": "What is new, twice a month.",
   "optin": "single",
   "visibility": "public",
   "subscribeUrl": null,
   "contactCount": 0,
   "unconfirmedCount": 0,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "marketing.defaults_read": {
  "answer": {
   "channels": [],
   "tone": null,
   "brandId": null,
   "from": null,
   "listId": null,
   "utm": null,
   "language": null,
   "timezone": null,
   "approvalRequired": true,
   "updatedAt": null
  }
 },
 "marketing.defaults_set": {
  "body": {
   "tone": "Friendly",
   "language": "de-AT",
   "utm": {
    "source": "newsletter"
   }
  },
  "answer": {
   "channels": [],
   "tone": "Friendly",
   "brandId": null,
   "from": null,
   "listId": null,
   "utm": {
    "source": "newsletter"
   },
   "language": "de-AT",
   "timezone": null,
   "approvalRequired": true,
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "marketing.icp_create": {
  "body": {
   "name": "Small agencies-1",
   "roles": [
    "Owner"
   ]
  },
  "answer": {
   "icpId": "icp_01M7WQRWM80RZW4PRPNATQENGJ",
   "name": "Small agencies-1",
   "description": "",
   "industries": [],
   "companySizes": [],
   "roles": [
    "Owner"
   ],
   "pains": [],
   "goals": [],
   "triggers": [],
   "objections": [],
   "channels": [],
   "isPrimary": true,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "marketing.icp_read": {
  "params": {
   "icpId": "icp_01M7WQRWM80RZW4PRPNATQENGJ"
  },
  "answer": {
   "icpId": "icp_01M7WQRWM80RZW4PRPNATQENGJ",
   "name": "Small agencies-1",
   "description": "",
   "industries": [],
   "companySizes": [],
   "roles": [
    "Owner"
   ],
   "pains": [],
   "goals": [],
   "triggers": [],
   "objections": [],
   "channels": [],
   "isPrimary": true,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "marketing.icp_update": {
  "params": {
   "icpId": "icp_01M7WQRWM80RZW4PRPNATQENGJ"
  },
  "body": {
   "pains": [
    "Invoices take hours"
   ]
  },
  "answer": {
   "icpId": "icp_01M7WQRWM80RZW4PRPNATQENGJ",
   "name": "Small agencies-1",
   "description": "",
   "industries": [],
   "companySizes": [],
   "roles": [
    "Owner"
   ],
   "pains": [
    "Invoices take hours"
   ],
   "goals": [],
   "triggers": [],
   "objections": [],
   "channels": [],
   "isPrimary": true,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "marketing.icps": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "icpId": "icp_01M7WQRWM80RZW4PRPNATQENGJ",
     "name": "Small agencies-4",
     "description": "",
     "industries": [],
     "companySizes": [],
     "roles": [
      "Owner"
     ],
     "pains": [
      "Invoices take hours"
     ],
     "goals": [],
     "triggers": [],
     "objections": [],
     "channels": [],
     "isPrimary": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "icpId": "icp_01M7WQRWM8XVZH3P7WBKE0R7TF",
     "name": "Small agencies-3",
     "description": "",
     "industries": [],
     "companySizes": [],
     "roles": [
      "Owner"
     ],
     "pains": [],
     "goals": [],
     "triggers": [],
     "objections": [],
     "channels": [],
     "isPrimary": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJtYXJrZXRpbmcuaWNwcyIsMTc5NTE4NzA0NTAwMCwiaWNwXzAxTTdXUVJXTThYVlpIM1A3V0JLRTBSN1RGIl0"
  }
 },
 "marketing.strategy_patch": {
  "body": {
   "positioning": "Invoices in one minute-1",
   "pillars": [
    {
     "name": "Speed"
    }
   ]
  },
  "answer": {
   "positioning": "Invoices in one minute-1",
   "audience": "",
   "pillars": [
    {
     "name": "Speed",
     "message": "",
     "proof": ""
    }
   ],
   "channels": [],
   "goals": [],
   "tone": "",
   "competitors": [],
   "notes": "",
   "budget": null,
   "version": 1,
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "marketing.strategy_read": {
  "query": {
   "detail": "full"
  },
  "answer": {
   "positioning": "",
   "audience": "",
   "pillars": [],
   "channels": [],
   "goals": [],
   "tone": "",
   "competitors": [],
   "notes": "",
   "budget": null,
   "version": 0,
   "updatedAt": null
  }
 },
 "pages.compose": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "body": {
   "brief": "The same course, for people who have baked before."
  },
  "answer": {
   "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
   "slug": "course-1",
   "status": "draft",
   "draft": true,
   "version": 0,
   "title": "Our sourdough course",
   "composeStatus": "building",
   "editor": "current",
   "objective": null,
   "ctaLabel": null,
   "vibe": null,
   "length": "short",
   "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "url": null,
   "previewUrl": null,
   "metadata": {
    "title": null,
    "description": null,
    "ogImageUrl": null,
    "noindex": false,
    "language": null
   },
   "sections": [
    {
     "id": "sec_01M7WQRWM8K8661QZJTD1AHRHZ",
     "kind": "hero",
     "heading": "Bake sourdough at home"
    }
   ],
   "progress": {
    "phase": "waiting",
    "done": 0,
    "total": 6
   },
   "error": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null
  },
  "credits": 20
 },
 "pages.create": {
  "body": {
   "brief": "A page for our sourdough course. Six evenings for beginners, in our bakery in Graz. Warm and plain.",
   "objective": "Sign-ups for the course in March",
   "ctaLabel": "Join the course",
   "length": "short"
  },
  "answer": {
   "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
   "slug": "our-sourdough-course",
   "status": "draft",
   "draft": true,
   "version": 0,
   "title": "Our sourdough course",
   "composeStatus": "queued",
   "editor": "current",
   "objective": "Sign-ups for the course in March",
   "ctaLabel": "Join the course",
   "vibe": null,
   "length": "short",
   "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "url": null,
   "previewUrl": null,
   "metadata": {
    "title": null,
    "description": null,
    "ogImageUrl": null,
    "noindex": false,
    "language": null
   },
   "sections": [],
   "progress": {
    "phase": "waiting",
    "done": 0,
    "total": 6
   },
   "error": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null
  },
  "credits": 20
 },
 "pages.delete": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "answer": {
   "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
   "deleted": true
  }
 },
 "pages.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
     "slug": "course-15",
     "status": "published",
     "draft": false,
     "version": 1,
     "title": "Our sourdough course",
     "composeStatus": "ready",
     "editor": "current",
     "objective": null,
     "ctaLabel": null,
     "vibe": null,
     "length": "short",
     "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
     "url": null,
     "previewUrl": null,
     "metadata": {
      "title": null,
      "description": null,
      "ogImageUrl": null,
      "noindex": false,
      "language": null
     },
     "sections": [
      {
       "id": "sec_01M7WQRWM8K8661QZJTD1AHRHZ",
       "kind": "hero",
       "heading": "Bake sourdough at home"
      }
     ],
     "progress": {
      "phase": "waiting",
      "done": 0,
      "total": 6
     },
     "error": null,
     "approval": null,
     "creationId": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "publishedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "pg_01M7WQRWM8P9K5VK499VQ5HRT6",
     "slug": "course-13",
     "status": "published",
     "draft": false,
     "version": 1,
     "title": "Our sourdough course",
     "composeStatus": "ready",
     "editor": "current",
     "objective": null,
     "ctaLabel": null,
     "vibe": null,
     "length": "short",
     "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
     "url": null,
     "previewUrl": null,
     "metadata": {
      "title": null,
      "description": null,
      "ogImageUrl": null,
      "noindex": false,
      "language": null
     },
     "sections": [
      {
       "id": "sec_01M7WQRWM88WFXQ3TM90E61ERZ",
       "kind": "hero",
       "heading": "Bake sourdough at home"
      }
     ],
     "progress": {
      "phase": "waiting",
      "done": 0,
      "total": 6
     },
     "error": null,
     "approval": null,
     "creationId": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z",
     "publishedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJwYWdlcy5saXN0IiwxNzk1MTg3MDQ1MDAwLCJwZ18wMU03V1FSV004UDlLNVZLNDk5VlE1SFJUNiJd"
  }
 },
 "pages.publish": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "body": {},
  "answer": {
   "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
   "slug": "course-1",
   "status": "published",
   "draft": false,
   "version": 1,
   "title": "Our sourdough course",
   "composeStatus": "ready",
   "editor": "current",
   "objective": null,
   "ctaLabel": null,
   "vibe": null,
   "length": "short",
   "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "url": null,
   "previewUrl": null,
   "metadata": {
    "title": null,
    "description": null,
    "ogImageUrl": null,
    "noindex": false,
    "language": null
   },
   "sections": [
    {
     "id": "sec_01M7WQRWM8K8661QZJTD1AHRHZ",
     "kind": "hero",
     "heading": "Bake sourdough at home"
    }
   ],
   "progress": {
    "phase": "waiting",
    "done": 0,
    "total": 6
   },
   "error": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "pages.read": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "answer": {
   "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
   "slug": "course-1",
   "status": "draft",
   "draft": true,
   "version": 0,
   "title": "Our sourdough course",
   "composeStatus": "ready",
   "editor": "current",
   "objective": null,
   "ctaLabel": null,
   "vibe": null,
   "length": "short",
   "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "url": null,
   "previewUrl": null,
   "metadata": {
    "title": null,
    "description": "Our sourdough course. Six evenings for beginners.",
    "ogImageUrl": null,
    "noindex": false,
    "language": null
   },
   "sections": [
    {
     "id": "sec_01M7WQRWM8K8661QZJTD1AHRHZ",
     "kind": "hero",
     "heading": "Our sourdough course"
    },
    {
     "id": "sec_01M7WQRWM88WFXQ3TM90E61ERZ",
     "kind": "features",
     "heading": "At a glance"
    },
    {
     "id": "sec_01M7WQRWM8F87SAESX73BYAK2W",
     "kind": "how_it_works",
     "heading": "How to go on from here"
    },
    {
     "id": "sec_01M7WQRWM8FVE0RGMG9KTXSKG8",
     "kind": "contact",
     "heading": "Write to Brand-1"
    },
    {
     "id": "sec_01M7WQRWM8CEHVDZ330QWT03ME",
     "kind": "footer",
     "heading": "Brand-1"
    }
   ],
   "progress": {
    "phase": "done",
    "done": 6,
    "total": 6
   },
   "error": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null
  }
 },
 "pages.submissions": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "answer": {
   "data": [],
   "next_cursor": null
  }
 },
 "pages.unpublish": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "answer": {
   "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
   "slug": "course-1",
   "status": "unpublished",
   "draft": false,
   "version": 1,
   "title": "Our sourdough course",
   "composeStatus": "ready",
   "editor": "current",
   "objective": null,
   "ctaLabel": null,
   "vibe": null,
   "length": "short",
   "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "url": null,
   "previewUrl": null,
   "metadata": {
    "title": null,
    "description": null,
    "ogImageUrl": null,
    "noindex": false,
    "language": null
   },
   "sections": [
    {
     "id": "sec_01M7WQRWM8K8661QZJTD1AHRHZ",
     "kind": "hero",
     "heading": "Bake sourdough at home"
    }
   ],
   "progress": {
    "phase": "waiting",
    "done": 0,
    "total": 6
   },
   "error": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "pages.update": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "body": {
   "title": "Bake sourdough at home",
   "sections": [
    {
     "kind": "richtext",
     "text": "Six evenings in **Graz**."
    }
   ]
  },
  "answer": {
   "id": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR",
   "slug": "course-1",
   "status": "draft",
   "draft": true,
   "version": 0,
   "title": "Bake sourdough at home",
   "composeStatus": "ready",
   "editor": "current",
   "objective": null,
   "ctaLabel": null,
   "vibe": null,
   "length": "short",
   "brandId": "brd_01M7WQRWM83J873PAV8Z0BZQK6",
   "url": null,
   "previewUrl": null,
   "metadata": {
    "title": null,
    "description": null,
    "ogImageUrl": null,
    "noindex": false,
    "language": null
   },
   "sections": [
    {
     "id": "sec_01M7WQRWM8K8661QZJTD1AHRHZ",
     "kind": "richtext",
     "heading": null
    }
   ],
   "progress": {
    "phase": "waiting",
    "done": 0,
    "total": 6
   },
   "error": null,
   "approval": null,
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "publishedAt": null
  }
 },
 "pages.versions": {
  "params": {
   "idOrSlug": "pg_01M7WQRWM8K2D8AHH5NQE5FEBR"
  },
  "answer": {
   "data": [
    {
     "version": 1,
     "title": "Our sourdough course",
     "contentHash": "28b9246e7fbc7f8b289b3465259145aea42039c88a55406e8169213f7c3d444c",
     "publishedAt": "2026-11-20T15:04:05.000Z",
     "current": true
    }
   ],
   "next_cursor": null
  }
 },
 "qr.create": {
  "body": {
   "encodes": {
    "kind": "shortLink",
    "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX"
   },
   "label": "Table 4",
   "tags": [
    "tables"
   ],
   "style": {
    "dots": "rounded",
    "corners": "rounded",
    "foreground": "#1c5a44",
    "errorCorrection": "Q"
   },
   "frame": {
    "kind": "banner-bottom",
    "text": "See the menu"
   }
  },
  "answer": {
   "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H",
   "encodes": {
    "kind": "shortLink",
    "linkId": "lnk_01M7WQRWM8XHHVH0BHDHVZGGTX"
   },
   "label": "Table 4",
   "tags": [
    "tables"
   ],
   "style": {
    "foreground": "#1c5a44",
    "background": "#ffffff",
    "dots": "rounded",
    "corners": "rounded",
    "eyes": null,
    "errorCorrection": "Q",
    "margin": 4,
    "logoAssetId": null,
    "gradient": null
   },
   "frame": {
    "kind": "banner-bottom",
    "text": "See the menu",
    "colour": null
   },
   "payload": "http://localhost/l/qKZcsab?s=qr",
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  },
  "credits": 1
 },
 "qr.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H",
     "encodes": {
      "kind": "static",
      "payload": "https://shop.example/table-5"
     },
     "label": null,
     "tags": [],
     "style": {
      "foreground": "#000000",
      "background": "#ffffff",
      "dots": "square",
      "corners": "square",
      "eyes": null,
      "errorCorrection": "M",
      "margin": 4,
      "logoAssetId": null,
      "gradient": null
     },
     "frame": {
      "kind": "none",
      "text": null,
      "colour": null
     },
     "payload": "https://shop.example/table-5",
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "qrId": "qr_01M7WQRWM8HB8TP6M20PZK6BJS",
     "encodes": {
      "kind": "static",
      "payload": "https://shop.example/table-3"
     },
     "label": null,
     "tags": [],
     "style": {
      "foreground": "#000000",
      "background": "#ffffff",
      "dots": "square",
      "corners": "square",
      "eyes": null,
      "errorCorrection": "M",
      "margin": 4,
      "logoAssetId": null,
      "gradient": null
     },
     "frame": {
      "kind": "none",
      "text": null,
      "colour": null
     },
     "payload": "https://shop.example/table-3",
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJxci5saXN0IiwxNzk1MTg3MDQ1MDAwLCJxcl8wMU03V1FSV004SEI4VFA2TTIwUFpLNkJKUyJd"
  }
 },
 "qr.read": {
  "params": {
   "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H"
  },
  "answer": {
   "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H",
   "encodes": {
    "kind": "static",
    "payload": "https://shop.example/table-1"
   },
   "label": null,
   "tags": [],
   "style": {
    "foreground": "#000000",
    "background": "#ffffff",
    "dots": "square",
    "corners": "square",
    "eyes": null,
    "errorCorrection": "M",
    "margin": 4,
    "logoAssetId": null,
    "gradient": null
   },
   "frame": {
    "kind": "none",
    "text": null,
    "colour": null
   },
   "payload": "https://shop.example/table-1",
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "qr.render": {
  "params": {
   "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H"
  },
  "body": {
   "format": "svg"
  },
  "answer": {
   "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H",
   "format": "svg",
   "contentType": "image/svg+xml",
   "width": 1024,
   "height": 1024,
   "bytes": 4595,
   "dataBase64": "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxMDI0IiBoZWlnaHQ9IjEwMjQiIHZpZXdCb3g9IjAgMCAzNyAzNyI+PHBhdGggZmlsbD0iI2ZmZmZmZiIgZD0iTTAgMEgzN1Yz…",
   "assetId": null,
   "creditsCharged": 0
  }
 },
 "qr.update": {
  "params": {
   "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H"
  },
  "body": {
   "label": "Window",
   "style": {
    "dots": "dots"
   },
   "frame": {
    "kind": "border"
   }
  },
  "answer": {
   "qrId": "qr_01M7WQRWM8SCHJ0A2N94262X8H",
   "encodes": {
    "kind": "static",
    "payload": "https://shop.example/table-1"
   },
   "label": "Window",
   "tags": [],
   "style": {
    "foreground": "#000000",
    "background": "#ffffff",
    "dots": "dots",
    "corners": "square",
    "eyes": null,
    "errorCorrection": "M",
    "margin": 4,
    "logoAssetId": null,
    "gradient": null
   },
   "frame": {
    "kind": "border",
    "text": null,
    "colour": null
   },
   "payload": "https://shop.example/table-1",
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
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
 "sequences.archive": {
  "params": {
   "keyOrId": "trial"
  },
  "answer": {
   "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "key": "trial",
   "name": "Trial-1",
   "status": "archived",
   "version": 1,
   "draft": false,
   "source": "api",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodeCount": 2,
   "edgeCount": 1,
   "enrolledCount": 0,
   "activeRunCount": 0,
   "publishedBy": null,
   "approval": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "sequences.create": {
  "body": {
   "key": "trial",
   "name": "Trial",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodes": [
    {
     "id": "pause",
     "kind": "delay",
     "for": "P1D"
    },
    {
     "id": "mark",
     "kind": "update_contact",
     "attributes": {
      "trial": "begun"
     }
    }
   ],
   "edges": [
    {
     "from": "pause",
     "to": "mark",
     "when": "next"
    }
   ]
  },
  "answer": {
   "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "key": "trial",
   "name": "Trial",
   "status": "draft",
   "version": 0,
   "draft": true,
   "source": "api",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodeCount": 2,
   "edgeCount": 1,
   "enrolledCount": 0,
   "activeRunCount": 0,
   "publishedBy": null,
   "approval": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "nodes": [
    {
     "id": "pause",
     "kind": "delay",
     "for": "P1D"
    },
    {
     "id": "mark",
     "kind": "update_contact",
     "attributes": {
      "trial": "begun"
     }
    }
   ],
   "edges": [
    {
     "from": "pause",
     "to": "mark",
     "when": "next"
    }
   ],
   "settings": {
    "reentry": "after_completion",
    "timezone": "UTC",
    "overdue": "run",
    "overdueAfter": "P1D",
    "onFailure": "stop"
   }
  }
 },
 "sequences.enroll": {
  "params": {
   "keyOrId": "trial"
  },
  "body": {
   "contact": {
    "external_id": "user-1",
    "email": "ada-1@example.com"
   },
   "variables": {
    "plan": "pro"
   }
  },
  "answer": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M",
   "sequenceId": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "sequenceKey": "trial",
   "sequenceVersion": 1,
   "contact": {
    "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
    "external_id": "user-1",
    "email": "ada-1@example.com"
   },
   "status": "active",
   "currentNodes": [
    "pause"
   ],
   "variables": {
    "plan": "pro"
   },
   "sandbox": false,
   "startedAt": "2026-11-20T15:04:05.000Z",
   "completedAt": null,
   "exitReason": null,
   "steps": [
    {
     "nodeId": "pause",
     "kind": "delay",
     "status": "pending",
     "at": "2026-11-20T15:04:05.000Z",
     "dueAt": "2026-11-20T15:04:05.000Z",
     "output": null,
     "reason": null
    }
   ]
  }
 },
 "sequences.enroll_alias": {
  "params": {
   "flowKey": "trial"
  },
  "body": {
   "contact": {
    "external_id": "user-1",
    "email": "ada-1@example.com"
   },
   "variables": {
    "plan": "pro"
   }
  },
  "answer": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M",
   "sequenceId": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "sequenceKey": "trial",
   "sequenceVersion": 1,
   "contact": {
    "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
    "external_id": "user-1",
    "email": "ada-1@example.com"
   },
   "status": "active",
   "currentNodes": [
    "pause"
   ],
   "variables": {
    "plan": "pro"
   },
   "sandbox": false,
   "startedAt": "2026-11-20T15:04:05.000Z",
   "completedAt": null,
   "exitReason": null,
   "steps": [
    {
     "nodeId": "pause",
     "kind": "delay",
     "status": "pending",
     "at": "2026-11-20T15:04:05.000Z",
     "dueAt": "2026-11-20T15:04:05.000Z",
     "output": null,
     "reason": null
    }
   ]
  }
 },
 "sequences.enroll_list": {
  "params": {
   "keyOrId": "trial"
  },
  "body": {
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC"
  },
  "answer": {
   "enrollmentId": "enr_01M7WQRWM8171FSB0NTS699A2F",
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC",
   "status": "running",
   "total": 2,
   "enrolled": 0,
   "alreadyEnrolled": 0,
   "skipped": {},
   "error": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "finishedAt": null
  }
 },
 "sequences.enrollment_read": {
  "params": {
   "keyOrId": "trial",
   "enrollmentId": "enr_01M7WQRWM8171FSB0NTS699A2F"
  },
  "answer": {
   "enrollmentId": "enr_01M7WQRWM8171FSB0NTS699A2F",
   "listId": "lst_01M7WQRWM891DYZGXWQ717XMQC",
   "status": "completed",
   "total": 2,
   "enrolled": 2,
   "alreadyEnrolled": 0,
   "skipped": {},
   "error": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "finishedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "sequences.list": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
     "key": "trial-30",
     "name": "Trial-29",
     "status": "published",
     "version": 1,
     "draft": false,
     "source": "api",
     "trigger": {
      "kind": "event",
      "type": "trial.started"
     },
     "nodeCount": 2,
     "edgeCount": 1,
     "enrolledCount": 1,
     "activeRunCount": 0,
     "publishedBy": null,
     "approval": null,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "seq_01M7WQRWM84T8W5KCPJ9C3BNJ8",
     "key": "trial-28",
     "name": "Trial-27",
     "status": "published",
     "version": 1,
     "draft": false,
     "source": "api",
     "trigger": {
      "kind": "event",
      "type": "trial.started"
     },
     "nodeCount": 2,
     "edgeCount": 1,
     "enrolledCount": 1,
     "activeRunCount": 1,
     "publishedBy": null,
     "approval": null,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJzZXF1ZW5jZXMubGlzdCIsMTc5NTE4NzA0NTAwMCwic2VxXzAxTTdXUVJXTTg0VDhXNUtDUEo5QzNCTko4Il0"
  }
 },
 "sequences.pause": {
  "params": {
   "keyOrId": "trial"
  },
  "answer": {
   "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "key": "trial",
   "name": "Trial-1",
   "status": "paused",
   "version": 1,
   "draft": false,
   "source": "api",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodeCount": 2,
   "edgeCount": 1,
   "enrolledCount": 0,
   "activeRunCount": 0,
   "publishedBy": null,
   "approval": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "sequences.publish": {
  "params": {
   "keyOrId": "trial"
  },
  "answer": {
   "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "key": "trial",
   "name": "Trial-1",
   "status": "published",
   "version": 1,
   "draft": false,
   "source": "api",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodeCount": 2,
   "edgeCount": 1,
   "enrolledCount": 0,
   "activeRunCount": 0,
   "publishedBy": {
    "keyId": "key_01M7WQRWM81M9P7261M2DQC3KT",
    "member": "u_ada"
   },
   "approval": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "sequences.read": {
  "params": {
   "keyOrId": "trial"
  },
  "query": {
   "graph": "mermaid"
  },
  "answer": {
   "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "key": "trial",
   "name": "Trial-1",
   "status": "published",
   "version": 1,
   "draft": false,
   "source": "api",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodeCount": 2,
   "edgeCount": 1,
   "enrolledCount": 0,
   "activeRunCount": 0,
   "publishedBy": null,
   "approval": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "nodes": [
    {
     "id": "pause",
     "kind": "delay",
     "for": "P1D"
    },
    {
     "id": "mark",
     "kind": "update_contact",
     "attributes": {
      "trial": "begun"
     }
    }
   ],
   "edges": [
    {
     "from": "pause",
     "to": "mark",
     "when": "next"
    }
   ],
   "settings": {
    "reentry": "after_completion",
    "timezone": "UTC",
    "overdue": "run",
    "overdueAfter": "P1D",
    "onFailure": "stop"
   },
   "graph": "flowchart TD\n  trigger([\"When trial.started\"])\n  n_pause[\"Wait 1 day\"]\n  n_mark[\"Update contact<br>trial\"]\n  trigger --> n_pause\n  n_pause --> n_mark\n"
  }
 },
 "sequences.resume": {
  "params": {
   "keyOrId": "trial"
  },
  "answer": {
   "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "key": "trial",
   "name": "Trial-1",
   "status": "published",
   "version": 1,
   "draft": false,
   "source": "api",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodeCount": 2,
   "edgeCount": 1,
   "enrolledCount": 0,
   "activeRunCount": 0,
   "publishedBy": null,
   "approval": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "sequences.run_cancel": {
  "params": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M"
  },
  "answer": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M",
   "sequenceId": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "sequenceKey": "trial",
   "sequenceVersion": 1,
   "contact": {
    "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
    "external_id": "user-1",
    "email": "ada-1@example.com"
   },
   "status": "cancelled",
   "currentNodes": [],
   "variables": {},
   "sandbox": false,
   "startedAt": "2026-11-20T15:04:05.000Z",
   "completedAt": "2026-11-20T15:04:05.000Z",
   "exitReason": null,
   "steps": [
    {
     "nodeId": "pause",
     "kind": "delay",
     "status": "skipped",
     "at": "2026-11-20T15:04:05.000Z",
     "dueAt": null,
     "output": null,
     "reason": "cancelled"
    }
   ]
  }
 },
 "sequences.run_read": {
  "params": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M"
  },
  "answer": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M",
   "sequenceId": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "sequenceKey": "trial",
   "sequenceVersion": 1,
   "contact": {
    "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
    "external_id": "user-1",
    "email": "ada-1@example.com"
   },
   "status": "active",
   "currentNodes": [
    "pause"
   ],
   "variables": {},
   "sandbox": false,
   "startedAt": "2026-11-20T15:04:05.000Z",
   "completedAt": null,
   "exitReason": null,
   "steps": [
    {
     "nodeId": "pause",
     "kind": "delay",
     "status": "waiting",
     "at": "2026-11-20T15:04:05.000Z",
     "dueAt": "2026-11-21T15:04:05.000Z",
     "output": null,
     "reason": null
    }
   ]
  }
 },
 "sequences.runs": {
  "params": {
   "keyOrId": "trial-32"
  },
  "answer": {
   "data": [],
   "next_cursor": null
  }
 },
 "sequences.simulate": {
  "params": {
   "keyOrId": "trial"
  },
  "body": {
   "contact": {
    "attributes": {
     "plan": "trial"
    }
   },
   "startAt": "2026-05-20T09:00:00Z"
  },
  "answer": {
   "status": "completed",
   "reason": null,
   "endsAt": "2026-05-21T09:00:00.000Z",
   "path": [
    {
     "nodeId": "pause",
     "kind": "delay",
     "at": "2026-05-21T09:00:00.000Z",
     "outcome": "completed",
     "reason": null,
     "rendered": null
    },
    {
     "nodeId": "mark",
     "kind": "update_contact",
     "at": "2026-05-21T09:00:00.000Z",
     "outcome": "completed",
     "reason": null,
     "rendered": null
    }
   ],
   "warnings": [
    "No event starts the run by the trigger; it starts all the same, without an event."
   ]
  }
 },
 "sequences.transition": {
  "params": {
   "id": "trial"
  },
  "body": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M",
   "nodeId": "mark",
   "reason": "Paid early."
  },
  "answer": {
   "runId": "run_01M7WQRWM8M9EYZXZ43FZY5V7M",
   "sequenceId": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "sequenceKey": "trial",
   "sequenceVersion": 1,
   "contact": {
    "id": "con_01M7WQRWM8HKBNN9SYRKDYCYB7",
    "external_id": "user-1",
    "email": "ada-1@example.com"
   },
   "status": "active",
   "currentNodes": [
    "mark"
   ],
   "variables": {},
   "sandbox": false,
   "startedAt": "2026-11-20T15:04:05.000Z",
   "completedAt": null,
   "exitReason": null,
   "steps": [
    {
     "nodeId": "pause",
     "kind": "delay",
     "status": "skipped",
     "at": "2026-11-20T15:04:05.000Z",
     "dueAt": null,
     "output": null,
     "reason": "Paid early."
    },
    {
     "nodeId": "mark",
     "kind": "update_contact",
     "status": "pending",
     "at": "2026-11-20T15:04:05.000Z",
     "dueAt": "2026-11-20T15:04:05.000Z",
     "output": null,
     "reason": null
    }
   ]
  }
 },
 "sequences.update": {
  "params": {
   "keyOrId": "trial"
  },
  "body": {
   "name": "Trial, second try",
   "settings": {
    "quietHours": {
     "from": "21:00",
     "to": "08:00"
    }
   }
  },
  "answer": {
   "id": "seq_01M7WQRWM8BQ7XCGZ2FBDCT98S",
   "key": "trial",
   "name": "Trial, second try",
   "status": "draft",
   "version": 0,
   "draft": true,
   "source": "api",
   "trigger": {
    "kind": "event",
    "type": "trial.started"
   },
   "nodeCount": 2,
   "edgeCount": 1,
   "enrolledCount": 0,
   "activeRunCount": 0,
   "publishedBy": null,
   "approval": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z",
   "nodes": [
    {
     "id": "pause",
     "kind": "delay",
     "for": "P1D"
    },
    {
     "id": "mark",
     "kind": "update_contact",
     "attributes": {
      "trial": "begun"
     }
    }
   ],
   "edges": [
    {
     "from": "pause",
     "to": "mark",
     "when": "next"
    }
   ],
   "settings": {
    "reentry": "after_completion",
    "quietHours": {
     "from": "21:00",
     "to": "08:00"
    },
    "timezone": "UTC",
    "overdue": "run",
    "overdueAfter": "P1D",
    "onFailure": "stop"
   }
  }
 },
 "sms.catalog": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "templateKey": "auth_login_code",
     "class": "authentication",
     "name": "Login code",
     "body": "{{ code }} is your {{ brand }} code. Do not share it with anyone.",
     "variables": {
      "type": "object",
      "properties": {
       "brand": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "description": "Who sends it; the name of the workspace where it is left out."
       },
       "code": {
        "type": "string",
        "pattern": "^[A-Za-z0-9-]{4,12}$",
        "description": "The code, 4 to 12 letters or digits."
       }
      },
      "required": [
       "code"
      ],
      "additionalProperties": false,
      "examples": [
       {
        "brand": "Acme",
        "code": "482913"
       }
      ]
     },
     "requiresConsent": false,
     "custom": false
    },
    {
     "templateKey": "auth_magic_link",
     "class": "authentication",
     "name": "Sign-in link",
     "body": "Sign in to {{ brand }}: {{ url }}\nThe link is for you alone. Did not ask for it? Ignore this message.",
     "variables": {
      "type": "object",
      "properties": {
       "brand": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "description": "Who sends it; the name of the workspace where it is left out."
       },
       "url": {
        "type": "string",
        "format": "uri",
        "maxLength": 500,
        "description": "The link, on a short-link domain of the workspace."
       }
      },
      "required": [
       "url"
      ],
      "additionalProperties": false,
      "examples": [
       {
        "brand": "Acme",
        "url": "https://go.example.com/s7Kp2"
       }
      ]
     },
     "requiresConsent": false,
     "custom": false
    }
   ],
   "next_cursor": "WyJzbXMuY2F0YWxvZyIsMSwiYXV0aF9tYWdpY19saW5rIl0"
  }
 },
 "sms.consent_create": {
  "body": {
   "to": "+14155550135",
   "source": "Checkout form",
   "wording": "Text me about my order."
  },
  "answer": {
   "id": "cns_01M7WQRWM8Q8WHM1BTZJVWSXCE",
   "to": "+14155550135",
   "source": "Checkout form",
   "wording": "Text me about my order.",
   "grantedAt": "2026-11-20T15:04:05.000Z",
   "revokedAt": null,
   "createdAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "sms.deliveries": {
  "answer": {
   "data": [
    {
     "id": "sms_01M7WQRWM8Y4V9AC5X3CCY0CTF",
     "status": "sent",
     "templateKey": "auth_login_code",
     "to": "+14155550134",
     "body": "•••••• is your Northwind Supply code. Do not share it with anyone.",
     "segments": 1,
     "provider": "capture",
     "sandbox": false,
     "consentProofId": null,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "events": [
      {
       "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
       "type": "sms.queued",
       "ts": "2026-11-20T15:04:05.000Z"
      },
      {
       "id": "evt_01M7WQRWM8ZPWJ3XE3230KFA1Z",
       "type": "sms.sent",
       "ts": "2026-11-20T15:04:05.000Z"
      }
     ]
    }
   ],
   "next_cursor": null
  }
 },
 "sms.kit": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "templateKey": "auth_login_code",
     "class": "authentication",
     "name": "Login code",
     "body": "{{ code }} is your {{ brand }} code. Do not share it with anyone.",
     "variables": {
      "type": "object",
      "properties": {
       "brand": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "description": "Who sends it; the name of the workspace where it is left out."
       },
       "code": {
        "type": "string",
        "pattern": "^[A-Za-z0-9-]{4,12}$",
        "description": "The code, 4 to 12 letters or digits."
       }
      },
      "required": [
       "code"
      ],
      "additionalProperties": false,
      "examples": [
       {
        "brand": "Acme",
        "code": "482913"
       }
      ]
     },
     "requiresConsent": false
    },
    {
     "templateKey": "auth_magic_link",
     "class": "authentication",
     "name": "Sign-in link",
     "body": "Sign in to {{ brand }}: {{ url }}\nThe link is for you alone. Did not ask for it? Ignore this message.",
     "variables": {
      "type": "object",
      "properties": {
       "brand": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "description": "Who sends it; the name of the workspace where it is left out."
       },
       "url": {
        "type": "string",
        "format": "uri",
        "maxLength": 500,
        "description": "The link, on a short-link domain of the workspace."
       }
      },
      "required": [
       "url"
      ],
      "additionalProperties": false,
      "examples": [
       {
        "brand": "Acme",
        "url": "https://go.example.com/s7Kp2"
       }
      ]
     },
     "requiresConsent": false
    }
   ],
   "next_cursor": "WyJzbXMua2l0IiwxLCJhdXRoX21hZ2ljX2xpbmsiXQ"
  }
 },
 "sms.preview": {
  "body": {
   "templateKey": "auth_login_code",
   "variables": {
    "code": "482913"
   }
  },
  "answer": {
   "templateKey": "auth_login_code",
   "body": "482913 is your Northwind Supply code. Do not share it with anyone.",
   "encoding": "GSM-7",
   "characters": 66,
   "segments": 1,
   "segmentLimit": 6,
   "warnings": []
  }
 },
 "sms.send": {
  "body": {
   "templateKey": "auth_login_code",
   "variables": {
    "code": "482913"
   },
   "to": "+14155550134"
  },
  "answer": {
   "id": "sms_01M7WQRWM8Y4V9AC5X3CCY0CTF",
   "status": "queued",
   "templateKey": "auth_login_code",
   "to": "+14155550134",
   "body": "482913 is your Northwind Supply code. Do not share it with anyone.",
   "segments": 1,
   "provider": "capture",
   "sandbox": false,
   "consentProofId": null,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "events": [
    {
     "id": "evt_01M7WQRWM8DC0X08PFMEGCRM7E",
     "type": "sms.queued",
     "ts": "2026-11-20T15:04:05.000Z"
    }
   ]
  }
 },
 "social.networks": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "transport": "native",
     "displayName": "Acme Inc.",
     "handle": "acme",
     "avatarUrl": null,
     "status": "connected",
     "capabilities": {
      "media": true,
      "threads": false,
      "deletes": true,
      "analytics": true
     },
     "connectedAt": "2026-11-20T15:04:05.000Z",
     "lastSyncedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8NVBHGFA0GDASS6P1",
     "transport": "native",
     "displayName": "Acme Inc.",
     "handle": "acme",
     "avatarUrl": null,
     "status": "connected",
     "capabilities": {
      "media": true,
      "threads": false,
      "deletes": true,
      "analytics": true
     },
     "connectedAt": "2026-11-20T15:04:05.000Z",
     "lastSyncedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJzb2NpYWwubmV0d29ya3MiLDE3OTUxODcwNDUwMDAsInNvYV8wMU03V1FSV004TlZCSEdGQTBHREFTUzZQMSJd"
  }
 },
 "social.networks_refresh": {
  "answer": {
   "data": [
    {
     "channelId": "x",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "transport": "native",
     "displayName": "Northwind Supply",
     "handle": "northwind",
     "avatarUrl": null,
     "status": "connected",
     "capabilities": {
      "media": true,
      "threads": true,
      "deletes": true,
      "analytics": true
     },
     "connectedAt": "2026-11-20T15:04:05.000Z",
     "lastSyncedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "channelId": "bluesky",
     "accountRef": "soa_01M7WQRWM8NVBHGFA0GDASS6P1",
     "transport": "native",
     "displayName": "Northwind Supply",
     "handle": "northwind",
     "avatarUrl": null,
     "status": "connected",
     "capabilities": {
      "media": true,
      "threads": false,
      "deletes": true,
      "analytics": true
     },
     "connectedAt": "2026-11-20T15:04:05.000Z",
     "lastSyncedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "lastSyncedAt": "2026-11-20T15:04:05.000Z",
   "failures": []
  }
 },
 "social.post_analytics": {
  "params": {
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA"
  },
  "answer": {
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "collectedAt": null,
   "cached": true,
   "totals": {
    "impressions": null,
    "reach": null,
    "likes": null,
    "comments": null,
    "shares": null,
    "clicks": null,
    "saves": null,
    "videoViews": null
   },
   "byChannel": {}
  }
 },
 "social.post_create": {
  "body": {
   "channels": [
    "linkedin"
   ],
   "caption": "Acme 2.0 is here, with a faster editor.",
   "targetAccountRefs": {
    "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
   }
  },
  "answer": {
   "id": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "status": "ready",
   "mode": "copy",
   "planningKind": "post",
   "groupId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "channels": [
    "linkedin"
   ],
   "caption": "Acme 2.0 is here, with a faster editor.",
   "channelCaptions": {},
   "threadTweets": [],
   "hashtags": [],
   "media": [],
   "linkUrl": null,
   "channelSettings": {},
   "targetAccountRefs": {
    "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
   },
   "plannedAt": null,
   "scheduledAt": null,
   "publishedAt": null,
   "assigneeUid": null,
   "brief": null,
   "problems": [],
   "targets": [
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "status": "pending",
     "externalId": null,
     "url": null,
     "attempts": 0,
     "error": null
    }
   ],
   "approval": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "social.post_delete": {
  "params": {
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA"
  },
  "answer": {
   "id": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "status": "deleted",
   "mode": "copy",
   "planningKind": "post",
   "groupId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "channels": [
    "linkedin"
   ],
   "caption": "Acme 2.0 is here, with a faster editor.",
   "channelCaptions": {},
   "threadTweets": [],
   "hashtags": [],
   "media": [],
   "linkUrl": null,
   "channelSettings": {},
   "targetAccountRefs": {
    "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
   },
   "plannedAt": null,
   "scheduledAt": null,
   "publishedAt": null,
   "assigneeUid": null,
   "brief": null,
   "problems": [],
   "targets": [
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "status": "pending",
     "externalId": null,
     "url": null,
     "attempts": 0,
     "error": null
    }
   ],
   "approval": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "social.post_publish": {
  "params": {
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA"
  },
  "body": {},
  "answer": {
   "id": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "status": "publishing",
   "mode": "copy",
   "planningKind": "post",
   "groupId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "channels": [
    "linkedin"
   ],
   "caption": "Acme 2.0 is here, with a faster editor.",
   "channelCaptions": {},
   "threadTweets": [],
   "hashtags": [],
   "media": [],
   "linkUrl": null,
   "channelSettings": {},
   "targetAccountRefs": {
    "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
   },
   "plannedAt": null,
   "scheduledAt": null,
   "publishedAt": null,
   "assigneeUid": null,
   "brief": null,
   "problems": [],
   "targets": [
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "status": "publishing",
     "externalId": null,
     "url": null,
     "attempts": 0,
     "error": null
    }
   ],
   "approval": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "social.post_read": {
  "params": {
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA"
  },
  "answer": {
   "id": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "status": "ready",
   "mode": "copy",
   "planningKind": "post",
   "groupId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "channels": [
    "linkedin"
   ],
   "caption": "Acme 2.0 is here, with a faster editor.",
   "channelCaptions": {},
   "threadTweets": [],
   "hashtags": [],
   "media": [],
   "linkUrl": null,
   "channelSettings": {},
   "targetAccountRefs": {
    "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
   },
   "plannedAt": null,
   "scheduledAt": null,
   "publishedAt": null,
   "assigneeUid": null,
   "brief": null,
   "problems": [],
   "targets": [
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "status": "pending",
     "externalId": null,
     "url": null,
     "attempts": 0,
     "error": null
    }
   ],
   "approval": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "social.post_schedule": {
  "params": {
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA"
  },
  "body": {
   "scheduledAt": "2026-11-21T15:04:05.000Z"
  },
  "answer": {
   "id": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "status": "scheduled",
   "mode": "copy",
   "planningKind": "post",
   "groupId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "channels": [
    "linkedin"
   ],
   "caption": "Acme 2.0 is here, with a faster editor.",
   "channelCaptions": {},
   "threadTweets": [],
   "hashtags": [],
   "media": [],
   "linkUrl": null,
   "channelSettings": {},
   "targetAccountRefs": {
    "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
   },
   "plannedAt": null,
   "scheduledAt": "2026-11-21T15:04:05.000Z",
   "publishedAt": null,
   "assigneeUid": null,
   "brief": null,
   "problems": [],
   "targets": [
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "status": "pending",
     "externalId": null,
     "url": null,
     "attempts": 0,
     "error": null
    }
   ],
   "approval": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "social.post_update": {
  "params": {
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA"
  },
  "body": {
   "caption": "Acme 2.0 is here, with a faster editor and offline mode."
  },
  "answer": {
   "id": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "status": "ready",
   "mode": "copy",
   "planningKind": "post",
   "groupId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "channels": [
    "linkedin"
   ],
   "caption": "Acme 2.0 is here, with a faster editor and offline mode.",
   "channelCaptions": {},
   "threadTweets": [],
   "hashtags": [],
   "media": [],
   "linkUrl": null,
   "channelSettings": {},
   "targetAccountRefs": {
    "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
   },
   "plannedAt": null,
   "scheduledAt": null,
   "publishedAt": null,
   "assigneeUid": null,
   "brief": null,
   "problems": [],
   "targets": [
    {
     "channelId": "linkedin",
     "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
     "status": "pending",
     "externalId": null,
     "url": null,
     "attempts": 0,
     "error": null
    }
   ],
   "approval": null,
   "credits": {
    "price": 0,
    "charged": 0
   },
   "creationId": null,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z",
   "updatedAt": "2026-11-20T15:04:05.000Z"
  }
 },
 "social.posts": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "id": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
     "status": "published",
     "mode": "copy",
     "planningKind": "post",
     "groupId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
     "channels": [
      "linkedin"
     ],
     "caption": "Acme 2.0 is here, with a faster editor.",
     "channelCaptions": {},
     "threadTweets": [],
     "hashtags": [],
     "media": [],
     "linkUrl": null,
     "channelSettings": {},
     "targetAccountRefs": {
      "linkedin": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ"
     },
     "plannedAt": null,
     "scheduledAt": null,
     "publishedAt": "2026-11-20T15:04:05.000Z",
     "assigneeUid": null,
     "brief": null,
     "problems": [],
     "targets": [
      {
       "channelId": "linkedin",
       "accountRef": "soa_01M7WQRWM8JAHBN9M6VJ6T6YYJ",
       "status": "pending",
       "externalId": null,
       "url": null,
       "attempts": 0,
       "error": null
      }
     ],
     "approval": null,
     "credits": {
      "price": 0,
      "charged": 0
     },
     "creationId": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    },
    {
     "id": "soc_01M7WQRWM8ZG4ZQ1E7E9MRWC7D",
     "status": "ready",
     "mode": "copy",
     "planningKind": "post",
     "groupId": "soc_01M7WQRWM8ZG4ZQ1E7E9MRWC7D",
     "channels": [
      "linkedin"
     ],
     "caption": "Acme 2.0 is here, with a faster editor.",
     "channelCaptions": {},
     "threadTweets": [],
     "hashtags": [],
     "media": [],
     "linkUrl": null,
     "channelSettings": {},
     "targetAccountRefs": {
      "linkedin": "soa_01M7WQRWM8NVBHGFA0GDASS6P1"
     },
     "plannedAt": null,
     "scheduledAt": null,
     "publishedAt": null,
     "assigneeUid": null,
     "brief": null,
     "problems": [],
     "targets": [
      {
       "channelId": "linkedin",
       "accountRef": "soa_01M7WQRWM8NVBHGFA0GDASS6P1",
       "status": "pending",
       "externalId": null,
       "url": null,
       "attempts": 0,
       "error": null
      }
     ],
     "approval": null,
     "credits": {
      "price": 0,
      "charged": 0
     },
     "creationId": null,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z",
     "updatedAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": "WyJzb2NpYWwucG9zdHMiLDE3OTUxODcwNDUwMDAsInNvY18wMU03V1FSV004Wkc0WlExRTdFOU1SV0M3RCJd"
  }
 },
 "social_events.kit": {
  "query": {
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "eventKey": "product_launched",
     "name": "Product launched",
     "description": "Something new can be bought or used.",
     "variables": {
      "type": "object",
      "properties": {
       "product": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "description": "The name of the product."
       },
       "summary": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400,
        "description": "What it is good for, in one or two sentences."
       },
       "highlights": {
        "type": "array",
        "maxItems": 5,
        "items": {
         "type": "string",
         "minLength": 1,
         "maxLength": 120
        },
        "description": "What stands out, a line each."
       },
       "price": {
        "type": "string",
        "minLength": 1,
        "maxLength": 40,
        "description": "The lowest price, as people read it."
       }
      },
      "required": [
       "product",
       "summary"
      ],
      "additionalProperties": false,
      "examples": [
       {
        "product": "Acme Desk",
        "summary": "A standing desk that remembers how each of you likes to work.",
        "highlights": [
         "Four heights, one touch",
         "Made of local oak"
        ],
        "price": "€490"
       }
      ]
     },
     "channels": [
      "x",
      "linkedin",
      "facebook",
      "threads",
      "bluesky"
     ],
     "defaultOutcome": "draft"
    },
    {
     "eventKey": "release_published",
     "name": "Release published",
     "description": "A new version of the product is out.",
     "variables": {
      "type": "object",
      "properties": {
       "product": {
        "type": "string",
        "minLength": 1,
        "maxLength": 60,
        "description": "The name of the product."
       },
       "version": {
        "type": "string",
        "minLength": 1,
        "maxLength": 30,
        "description": "The version or the name of the release."
       },
       "summary": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400,
        "description": "What is new, in one or two sentences."
       },
       "highlights": {
        "type": "array",
        "maxItems": 5,
        "items": {
         "type": "string",
         "minLength": 1,
         "maxLength": 120
        },
        "description": "The most important changes, a line each."
       }
      },
      "required": [
       "product",
       "version",
       "summary"
      ],
      "additionalProperties": false,
      "examples": [
       {
        "product": "Acme Studio",
        "version": "4.2",
        "summary": "Boards now load in under a second, and you can work on them offline.",
        "highlights": [
         "Offline boards",
         "Faster search",
         "Dark mode on tablets"
        ]
       }
      ]
     },
     "channels": [
      "x",
      "linkedin",
      "facebook",
      "threads",
      "bluesky"
     ],
     "defaultOutcome": "draft"
    }
   ],
   "next_cursor": "WyJzb2NpYWxfZXZlbnRzLmtpdCIsMSwicmVsZWFzZV9wdWJsaXNoZWQiXQ"
  }
 },
 "social_events.preview": {
  "body": {
   "eventKey": "release_published",
   "variables": {
    "product": "Acme Studio",
    "version": "4.2",
    "summary": "Boards now load in under a second."
   }
  },
  "answer": {
   "eventKey": "release_published",
   "captions": [
    {
     "channelId": "x",
     "text": "Acme Studio 4.2 is out. Boards now load in under a second.\n\n#ProductUpdate",
     "length": 74,
     "limit": 280,
     "problems": []
    },
    {
     "channelId": "linkedin",
     "text": "Acme Studio 4.2 is out.\n\nBoards now load in under a second.\n\nThank you to everyone who told us what was missing.\n\n#ProductUpdate #Release #Changelog",
     "length": 148,
     "limit": 3000,
     "problems": []
    },
    {
     "channelId": "facebook",
     "text": "Acme Studio 4.2 is out.\n\nBoards now load in under a second.\n\nThank you to everyone who told us what was missing.\n\n#ProductUpdate",
     "length": 128,
     "limit": 63206,
     "problems": []
    },
    {
     "channelId": "threads",
     "text": "Acme Studio 4.2 is out. Boards now load in under a second.\n\n#ProductUpdate",
     "length": 74,
     "limit": 500,
     "problems": []
    },
    {
     "channelId": "bluesky",
     "text": "Acme Studio 4.2 is out. Boards now load in under a second.\n\n#ProductUpdate",
     "length": 74,
     "limit": 300,
     "problems": []
    }
   ]
  }
 },
 "social_events.runs": {
  "answer": {
   "data": [
    {
     "runId": "sev_01M7WQRWM8E39KZ22H56BEDZMX",
     "eventKey": "release_published",
     "outcome": "draft",
     "status": "drafted",
     "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
     "captions": [
      {
       "channelId": "pinterest",
       "text": "Acme Studio 4.2 is out. Boards now load in under a second.\n\n#ProductUpdate",
       "length": 74,
       "limit": 800,
       "problems": [
        {
         "channelId": "pinterest",
         "path": "media",
         "code": "media_missing",
         "message": "Pinterest needs an attachment. Pinterest takes up to 5 images, or 1 video."
        },
        {
         "channelId": "pinterest",
         "path": "channelSettings.pinterest.boardId",
         "code": "setting_missing",
         "message": "Pinterest needs the setting boardId."
        },
        {
         "channelId": "pinterest",
         "path": "targetAccountRefs.pinterest",
         "code": "account_missing",
         "message": "No account is connected on Pinterest. Where the program has connected it, refresh the networks once: POST /v1/social/networks/refresh finds its accounts."
        }
       ]
      }
     ],
     "dedupeKey": "release-1",
     "deduplicated": false,
     "sandbox": false,
     "createdAt": "2026-11-20T15:04:05.000Z"
    }
   ],
   "next_cursor": null
  }
 },
 "social_events.templates": {
  "query": {
   "eventKey": "release_published",
   "limit": "2"
  },
  "answer": {
   "data": [
    {
     "templateId": "release_published.x",
     "eventKey": "release_published",
     "channelId": "x",
     "caption": "{{ product }} {{ version }} is out. {{ summary | truncate: 130, \"…\" }}",
     "hashtags": [
      "ProductUpdate"
     ],
     "wording": "kit"
    },
    {
     "templateId": "release_published.linkedin",
     "eventKey": "release_published",
     "channelId": "linkedin",
     "caption": "{{ product }} {{ version }} is out.\n\n{{ summary }}\n{% for point in highlights %}\n• {{ point }}{% endfor %}\n\nThank you to everyone who told us what was missing.",
     "hashtags": [
      "ProductUpdate",
      "Release",
      "Changelog"
     ],
     "wording": "kit"
    }
   ],
   "next_cursor": "WyJzb2NpYWxfZXZlbnRzLnRlbXBsYXRlcyIsMSwicmVsZWFzZV9wdWJsaXNoZWQubGlua2VkaW4iXQ"
  }
 },
 "social_events.trigger": {
  "body": {
   "eventKey": "release_published",
   "variables": {
    "product": "Acme Studio",
    "version": "4.2",
    "summary": "Boards now load in under a second."
   },
   "channels": [
    "pinterest"
   ],
   "dedupeKey": "release-1"
  },
  "answer": {
   "runId": "sev_01M7WQRWM8E39KZ22H56BEDZMX",
   "eventKey": "release_published",
   "outcome": "draft",
   "status": "drafted",
   "postId": "soc_01M7WQRWM82Z8A6FPH5Z39VHBA",
   "captions": [
    {
     "channelId": "pinterest",
     "text": "Acme Studio 4.2 is out. Boards now load in under a second.\n\n#ProductUpdate",
     "length": 74,
     "limit": 800,
     "problems": [
      {
       "channelId": "pinterest",
       "path": "media",
       "code": "media_missing",
       "message": "Pinterest needs an attachment. Pinterest takes up to 5 images, or 1 video."
      },
      {
       "channelId": "pinterest",
       "path": "channelSettings.pinterest.boardId",
       "code": "setting_missing",
       "message": "Pinterest needs the setting boardId."
      },
      {
       "channelId": "pinterest",
       "path": "targetAccountRefs.pinterest",
       "code": "account_missing",
       "message": "No account is connected on Pinterest. Where the program has connected it, refresh the networks once: POST /v1/social/networks/refresh finds its accounts."
      }
     ]
    }
   ],
   "dedupeKey": "release-1",
   "deduplicated": false,
   "sandbox": false,
   "createdAt": "2026-11-20T15:04:05.000Z"
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
   },
   "expiresIn": null
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
    },
    "expiresIn": null
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
    },
    "expiresIn": null
   },
   "warnings": []
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
     },
     "expiresIn": null
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
     },
     "expiresIn": null
    }
   ],
   "next_cursor": "WyJ0ZW1wbGF0ZXMubGlzdCIsMTc5NTE4NzA0NTAwMCwidHBsXzAxTTdXUVJXTTgzU1Y5MVE3V1NXVFkzWTJNIl0"
  }
 },
 "templates.propose": {
  "params": {
   "key": "order-confirmation"
  },
  "body": {
   "subject": "Welcome {{name}}"
  },
  "answer": {
   "requestId": "apr_01M7WQRWM8MC5XX4JR6GNSTP63",
   "templateKey": "order-confirmation",
   "baseVersion": 0,
   "diff": null,
   "status": "pending"
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
   "expiresIn": null,
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
   "draft": false,
   "approval": null
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
   "expiresIn": null,
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
   "draft": true,
   "approval": null
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
   "html": "<!doctype html>\n<html dir=\"auto\" xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\">…",
   "text": "Hello Ada",
   "subject": "Hello Ada",
   "previewText": "",
   "locale": null,
   "version": 0,
   "bytes": 3626,
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
   "expiresIn": null,
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
   "draft": false,
   "approval": null
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
   "expiresIn": null,
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
   "draft": true,
   "approval": null
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
    "assets",
    "brand",
    "templates",
    "suppressions",
    "connectors",
    "domains",
    "email",
    "contacts",
    "lists",
    "events",
    "links",
    "qr",
    "webhooks",
    "approvals",
    "sms",
    "social",
    "social-events",
    "campaigns",
    "sequences",
    "marketing",
    "designs",
    "pages",
    "blog",
    "lead-magnets",
    "creations",
    "content-plan",
    "inbox",
    "reference"
   ]
  }
 }
});
